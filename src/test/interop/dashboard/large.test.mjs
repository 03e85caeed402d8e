// Many relays and repositories, none at all, and a service that goes away.
import assert from 'node:assert/strict';
import { after, afterEach, before } from 'node:test';
import { assertFits, DESKTOP, openBrowser, pageTests, PHONE, screenshot } from './browser.mjs';
import { HOSTILE, startStandin } from './standin.mjs';

const service = process.env.SERVICE;

let browser;
let page;
let standin;
before(async () => {
  browser = await openBrowser();
  page = browser.page;
});
after(() => browser.close());
afterEach(async () => {
  await page.setViewportSize(DESKTOP);
  await page.goto('about:blank');
  await standin?.stop();
  standin = undefined;
});

const test = pageTests(() => browser);
const rows = table => page.getByRole('table', { name: table }).locator('tbody tr');

test('five hundred relays are shown in parts, filtered and sorted while all of them change', async () => {
  standin = await startStandin({ service, relays: 500, repositories: 10_000 });
  await page.goto(`${standin.url}/#/relays`);
  await page.getByText('500 of 500 relays').waitFor();
  assert.equal(await rows('Relays').count(), 50);
  // The worst come first.
  assert.match(await rows('Relays').first().textContent(), /Dead/);
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await page.getByText('51–100 of 500 relays').waitFor();
  await page.getByLabel('Filter').fill('relay-499.');
  await page.getByText('1 of 500 relays').waitFor();
  assert.equal(await rows('Relays').count(), 1);
  await page.getByLabel('Filter').fill('');
  await page.getByLabel('Show').selectOption('Dead');
  await page.getByText('10 of 500 relays').waitFor();
  await page.getByLabel('Show').selectOption('All');
  await page.getByRole('button', { name: 'Gaps', exact: true }).click();
  assert.match(await rows('Relays').first().locator('[data-label=Gaps]').textContent(), /^9$/);
  await screenshot(page, 'relays-500-desktop');
  await page.setViewportSize(PHONE);
  await assertFits(page, 'a long list on a phone');
});

test('the page keeps answering while five hundred relays change every second', async () => {
  standin = await startStandin({ service, relays: 500, repositories: 10_000 });
  await page.goto(`${standin.url}/#/relays`);
  await page.getByText('500 of 500 relays').waitFor();
  // The share of three seconds that the page's thread was kept busy in one go: little, also on a slow machine.
  const longest = await page.evaluate(() => new Promise(resolve => {
    let blocked = 0;
    new PerformanceObserver(list => list.getEntries().forEach(task => { blocked += task.duration; })).observe({ type: 'longtask' });
    setTimeout(() => resolve(blocked / 3_000), 3_000);
  }));
  assert.ok(longest < 0.5, `busy for ${Math.round(100 * longest)} % of the time`);
});

test('ten thousand repositories are searched a page at a time', async () => {
  standin = await startStandin({ service, relays: 3, repositories: 10_000 });
  await page.goto(`${standin.url}/#/repos`);
  await page.getByText('10,000 repositories', { exact: true }).waitFor();
  assert.equal(await rows('Repositories').count(), 50);
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await page.getByRole('link', { name: 'repository-99', exact: true }).waitFor();
  await page.getByLabel('Search').fill('repository-9999');
  await page.getByText('1 repository', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'repository-9999' }).waitFor();
});

test('a first sync shows how far it is, how fast, and how long it will take', async () => {
  const sync = { phase: 'first-sync', wanted: 10_000, confirmed: 2_500, ratio: 0.25, itemsPerSecond: 61.3, secondsLeft: 122 };
  standin = await startStandin({ service, relays: 3, repositories: 3, sync });
  await page.goto(`${standin.url}/#/`);
  await page.getByText('7,500 items to go, 61 a second, about 2 min 2 s left.').waitFor();
  await page.locator('.hero .big').filter({ hasText: '25 %' }).waitFor();
  assert.equal(await page.getByRole('progressbar', { name: 'Wanted items that are complete' }).getAttribute('aria-valuenow'), '25');
  await screenshot(page, 'overview-first-sync');
});

test('what a relay says is shown as text, whatever it looks like', async () => {
  standin = await startStandin({ service, relays: 10, repositories: 3 });
  await page.goto(`${standin.url}/#/relays`);
  await page.getByText(HOSTILE).waitFor();
  assert.equal(await page.locator('main img, main script').count(), 0);
});

test('a service that knows nothing yet says what to do', async () => {
  standin = await startStandin({ service, relays: 0, repositories: 0 });
  await page.goto(`${standin.url}/#/`);
  await page.getByRole('heading', { name: 'No repository has been announced here yet' }).waitFor();
  await screenshot(page, 'overview-empty');
  await page.goto(`${standin.url}/#/relays`);
  await page.getByText('No relay is known yet.').waitFor();
  await page.goto(`${standin.url}/#/repos`);
  await page.getByText('No repository has been announced here yet.').waitFor();
});

test('a service that cannot be reached is said to be so, until it is back', async () => {
  standin = await startStandin({ service, relays: 3, repositories: 3 });
  const { port, url } = standin;
  await page.goto(`${url}/#/relays`);
  await page.getByText('3 of 3 relays').waitFor();
  await standin.stop();
  await page.locator('#connection').filter({ hasText: 'cannot be reached' }).waitFor();
  assert.equal(await rows('Relays').count(), 3);
  await screenshot(page, 'unreachable');
  standin = await startStandin({ service, relays: 4, repositories: 3, port });
  await page.getByText('4 of 4 relays').waitFor();
  // That nobody was there is what the browser says of it, and all it may say.
  const others = browser.problems.splice(0).filter(problem => !/net::ERR_/.test(problem));
  assert.deepEqual(others, []);
  assert.equal(await page.locator('#connection').textContent(), '');
});
