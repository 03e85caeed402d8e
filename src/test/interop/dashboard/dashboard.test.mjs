// The dashboard of a running service with three relays: one is well, one is dead, one hands out less than it has.
// What happens to relays is done by who started this: a line "do: …" says what is to be done now.
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { assertContrast, assertFits, DESKTOP, openBrowser, pageTests, PHONE, screenshot } from './browser.mjs';

const { SERVICE, HEALTHY, DEAD, CAPPING, REPOSITORY, EVENT, MISSING, TOKEN } = process.env;
const relayPage = url => `#/relay/${encodeURIComponent(url)}`;
const PAGES = {
  overview: '#/',
  relays: '#/relays',
  'relay-healthy': relayPage(HEALTHY),
  'relay-dead': relayPage(DEAD),
  'relay-capping': relayPage(CAPPING),
  repositories: '#/repos',
  repository: `#/repo/${encodeURIComponent(REPOSITORY)}`,
  'explain-here': `#/explain/${EVENT}`,
  'explain-missing': `#/explain/${MISSING}`,
};

let browser;
let page;
before(async () => {
  browser = await openBrowser();
  page = browser.page;
});
after(() => browser.close());
const test = pageTests(() => browser);

/** The page that was there before is gone, so nothing of it is taken for the new one. */
async function go(hash) {
  await page.goto('about:blank');
  await page.goto(`${SERVICE}/${hash}`);
}

/** Until what had to be asked for is there. */
const settled = () => page.waitForFunction(() => document.querySelector('main h1') && !document.querySelector('main .loading'));
const row = (url, table = 'Relays') => page.getByRole('table', { name: table }).getByRole('row').filter({ has: page.locator(`a[href="${relayPage(url)}"]`) });
const cell = (tableRow, label) => tableRow.locator(`[data-label="${label}"]`);
const seen = (locator, text) => locator.filter({ hasText: text }).waitFor();

async function explain(id) {
  await page.getByRole('searchbox', { name: 'Find an event' }).fill(id);
  await page.getByRole('button', { name: 'Explain' }).click();
}

test('the overview says how complete the service is and which relays need attention', async () => {
  await go('#/');
  await page.getByRole('heading', { name: 'Completeness' }).waitFor();
  await seen(page.locator('.hero .big'), '%');
  await seen(row(DEAD, 'Relays that need attention'), 'Dead');
  await seen(page.locator('footer'), 'the relay of');
});

test('each relay is shown in its state', async () => {
  await go('#/relays');
  await seen(row(HEALTHY), 'Healthy');
  await seen(row(HEALTHY), 'In sync');
  await seen(row(DEAD), 'Dead');
  await seen(row(DEAD), 'Unreachable');
  await seen(row(CAPPING), 'Waiting');
  await seen(cell(row(DEAD), 'Next attempt').locator('time'), /in \d+|now/);
  assert.equal(await cell(row(HEALTHY), 'Next attempt').textContent(), '');
  await row(HEALTHY).getByRole('img', { name: /^Events in the last hour: [1-9]\d*, at most [1-9]/ }).waitFor();
  await row(DEAD).getByRole('img', { name: 'Events in the last hour: none' }).waitFor();
  assert.ok(Number(await cell(row(HEALTHY), 'Last hour').locator('.total').textContent()) > 0);

  await go(relayPage(CAPPING));
  await seen(page.getByRole('table', { name: 'What is asked of the relay' }), 'cut short');
  await go(relayPage(DEAD));
  await seen(page.locator('main'), 'The last reason:');
});

test('a relay that drops and comes back is seen without a reload', async () => {
  await go('#/relays');
  await seen(row(HEALTHY), 'In sync');
  await page.evaluate(() => { window.sameDocument = true; });
  console.log('do: drop the healthy relay');
  await seen(row(HEALTHY), 'Unreachable');
  await seen(row(HEALTHY), 'Degraded');
  await screenshot(page, 'relay-dropped');
  console.log('do: bring the healthy relay back');
  await seen(row(HEALTHY), 'In sync');
  assert.equal(await page.evaluate(() => window.sameDocument), true);
});

test('relays are filtered and sorted', async () => {
  await go('#/relays');
  await row(HEALTHY).waitFor();
  await page.getByLabel('Filter').fill(new URL(DEAD).host);
  await row(HEALTHY).waitFor({ state: 'detached' });
  await row(DEAD).waitFor();
  await page.getByLabel('Filter').fill('no such relay');
  await page.getByText('No relay matches this filter.').waitFor();
  await page.getByLabel('Filter').fill('');
  await page.getByLabel('Show').selectOption('Dead');
  await row(HEALTHY).waitFor({ state: 'detached' });
  await row(DEAD).waitFor();
});

test('an event is found by its id, with the way it came', async () => {
  await go('#/repos');
  await explain(EVENT);
  await page.getByRole('heading', { name: 'Why is it here, or not?' }).waitFor();
  await page.getByText('It is here', { exact: true }).waitFor();
  await page.getByText('Way here').first().waitFor();
  await page.getByText('The event as it was signed').click();
  await seen(page.locator('pre'), EVENT);
});

test('an event that is missing is explained', async () => {
  await go('#/');
  await explain(MISSING);
  await seen(page.locator('.verdict .badge'), 'No relay has offered it');
  assert.equal(await page.getByText('It is here', { exact: true }).count(), 0);
  assert.match(await page.locator('.verdict .lead').textContent(), /nobody published it here, and of the 3 relays .*\./);
  await seen(row(DEAD, 'What the relays say'), 'unreachable');
  await seen(row(DEAD, 'What the relays say'), 'It cannot be reached since');
  await seen(row(CAPPING, 'What the relays say'), 'cut short');
  await seen(row(HEALTHY, 'What the relays say'), 'searched');
});

test('what is no id is said to be none, and looked for among the names', async () => {
  await go('#/');
  await explain('repo-0');
  await page.getByRole('alert').waitFor();
  await page.getByRole('link', { name: 'Search the repositories’ names' }).click();
  await page.getByRole('table', { name: 'Repositories' }).getByRole('link', { name: 'repo-0' }).first().waitFor();
});

test('a repository shows how complete it is at each relay', async () => {
  await go('#/repos');
  await page.locator(`a[href="#/repo/${encodeURIComponent(REPOSITORY)}"]`).click();
  const matrix = 'How complete the repository is, by relay';
  const percentage = async url => Number(await row(url, matrix).getByRole('progressbar').getAttribute('aria-valuenow'));
  assert.equal(await percentage(HEALTHY), 100);
  assert.equal(await percentage(DEAD), 0);
  assert.ok(await percentage(CAPPING) < 100);
  await seen(row(CAPPING, matrix), 'cut short');
});

test('actions need the token, which is kept for the tab', async () => {
  await go(relayPage(DEAD));
  await page.getByRole('button', { name: 'Retry now' }).click();
  await page.getByLabel('Token').fill('not the token');
  await page.locator('form.token').getByRole('button', { name: 'Retry now' }).click();
  await page.getByRole('alert').filter({ hasText: 'not accepted' }).waitFor();
  await page.getByLabel('Token').fill(TOKEN);
  await page.locator('form.token').getByRole('button', { name: 'Retry now' }).click();
  await seen(page.locator('.result'), 'tried now');
  await go(relayPage(HEALTHY));
  await page.getByRole('button', { name: 'Fresh sync now' }).click();
  await seen(page.locator('.result'), 'asked for again');
  const kept = await page.evaluate(() => [sessionStorage.length, localStorage.length]);
  assert.deepEqual(kept, [1, 0]);
});

test('everything that is needed is reached by keyboard', async () => {
  await go('#/relays');
  await row(DEAD).waitFor();
  const focused = () => page.evaluate(() => document.activeElement.id || document.activeElement.textContent);
  await page.keyboard.press('Tab');
  assert.equal(await focused(), 'Skip to the content');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'main');

  const reached = [];
  for (let i = 0; i < 40 && !reached.includes('What do these words mean?'); i++) {
    await page.keyboard.press('Tab');
    reached.push(await focused());
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
    assert.notEqual(outline, 'none', `the focus is seen at ${reached.at(-1)}`);
  }
  for (const name of ['filter', 'kind', 'Relay', 'Health', DEAD.replace(/\/$/, ''), 'What do these words mean?']) {
    assert.ok(reached.some(text => text.startsWith(name)), `${name} is among ${reached}`);
  }

  await page.getByRole('button', { name: 'Gaps', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.locator('th[aria-sort="descending"]').filter({ hasText: 'Gaps' }).waitFor();
  await page.getByRole('button', { name: 'What is “Gaps”?' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('note').filter({ hasText: 'found later' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('note').filter({ hasText: 'found later' }).waitFor({ state: 'hidden' });

  await row(DEAD).getByRole('link').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Retry now' }).waitFor();
  assert.equal(await focused(), DEAD);
});

test('the theme follows the system until it is chosen', async () => {
  await page.emulateMedia({ colorScheme: 'light' });
  await go('#/');
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await ground();
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await ground();
  assert.notEqual(dark, light);
  const theme = page.getByRole('button', { name: 'Theme' });
  await theme.click();
  assert.equal(await ground(), light);
  await page.reload();
  assert.equal(await ground(), light);
  await theme.click();
  await theme.click();
  assert.equal(await ground(), dark);
});

test('on a phone one finds a relay, an event and the way back', async () => {
  await page.setViewportSize(PHONE);
  await go('#/');
  await page.getByRole('navigation').getByRole('link', { name: 'Relays' }).click();
  await row(DEAD).getByRole('link').click();
  await page.getByRole('button', { name: 'Retry now' }).waitFor();
  await assertFits(page, 'a relay on a phone');
  await explain(EVENT);
  await page.getByText('It is here', { exact: true }).waitFor();
  await assertFits(page, 'an explanation on a phone');
  await page.getByRole('navigation').getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('heading', { name: 'Completeness' }).waitFor();
  await page.setViewportSize(DESKTOP);
});

test('every page fits a phone and a screen, light and dark', async () => {
  for (const [size, viewport] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme });
      for (const [name, hash] of Object.entries(PAGES)) {
        await go(hash);
        await settled();
        await assertFits(page, `${name} on a ${size}`);
        await assertContrast(page, `${name}, ${colorScheme}`);
        await screenshot(page, `${name}-${size}-${colorScheme}`);
      }
    }
  }
});
