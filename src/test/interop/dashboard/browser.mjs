// Debian's chromium, and what must never happen in it.
import assert from 'node:assert/strict';
import { mkdtempSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { chromium } from 'playwright-core';

const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync'];
const SCREENSHOTS = process.env.SCREENSHOTS;

export const DESKTOP = { width: 1280, height: 900 };
export const PHONE = { width: 360, height: 780 };

/** A browser with nothing kept from before. `problems` gathers what a page complains of. */
export async function openBrowser(options = {}) {
  const profile = mkdtempSync(join(tmpdir(), 'dashboard-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS, viewport: DESKTOP, ...options,
  });
  context.setDefaultTimeout(60_000);
  const problems = [];
  context.on('weberror', error => problems.push(`${error.error().stack}`));
  context.on('console', message => {
    if (['error', 'warning'].includes(message.type()) && !isAnAnswer(message)) {
      problems.push(`${message.type()}: ${message.text()} at ${message.location().url}`);
    }
  });
  const page = context.pages()[0] ?? await context.newPage();
  return {
    page,
    problems,
    async close() {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

/** The browser reports each answer that is a refusal, also where the page shows it in words. */
function isAnAnswer(message) {
  return /status of (400|401|403|404)/.test(message.text()) && new URL(message.location().url).pathname.startsWith('/api/');
}

/** Tests of which each leaves nothing on the console, and a picture of the page where it fails. */
export function pageTests(browser) {
  return (name, body) => test(name, async () => {
    const { page, problems } = browser();
    problems.length = 0;
    try {
      await body();
      assert.deepEqual(problems, [], 'what the console said');
    } catch (failure) {
      await screenshot(page, `failed-${name.replaceAll(/\W+/g, '-')}`).catch(() => {});
      throw failure;
    }
  });
}

export async function screenshot(page, name) {
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });
}

export async function assertFits(page, what) {
  const { needed, there } = await page.evaluate(() => ({
    needed: document.documentElement.scrollWidth, there: document.documentElement.clientWidth,
  }));
  assert.ok(needed <= there, `${what} is ${needed} wide where there is room for ${there}`);
}

/** Every text stands out from what is behind it by 4.5 to 1, as WCAG AA asks. */
export async function assertContrast(page, what) {
  const weak = await page.evaluate(() => {
    const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    /** Whatever way a colour is written, and over what is behind it. */
    const paint = layers => {
      canvas.clearRect(0, 0, 1, 1);
      layers.forEach(colour => { canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); });
      return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const luminance = rgb => {
      const [r, g, b] = rgb.map(value => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const grounds = element => (element ? [...grounds(element.parentElement), getComputedStyle(element).backgroundColor] : ['white']);
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = new Set();
    while (texts.nextNode()) {
      const element = texts.currentNode.parentElement;
      if (texts.currentNode.data.trim() && element.checkVisibility() && !element.closest('.skip, noscript, svg, :disabled')) {
        const behind = grounds(element);
        const [back, text] = [luminance(paint(behind)), luminance(paint([...behind, getComputedStyle(element).color]))];
        const ratio = (Math.max(back, text) + 0.05) / (Math.min(back, text) + 0.05);
        if (ratio < 4.5) {
          found.add(`${texts.currentNode.data.trim()}: ${ratio.toFixed(1)}`);
        }
      }
    }
    return [...found];
  });
  assert.deepEqual(weak, [], `${what}: too pale`);
}
