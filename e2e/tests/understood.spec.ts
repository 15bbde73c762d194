/** Tests a recording's extracted lists and mind map: browsing, editing, export, and sync with a second client. */
import { readFile, writeFile } from 'node:fs/promises';
import type { SummaryDocument, Task } from '@linnet/contract';
import {
  type Browser,
  type BrowserContext,
  chromium,
  expect,
  type Locator,
  type Page,
  test,
} from '@playwright/test';
import ICAL from 'ical.js';
import config, { chromiumFlags } from '../playwright.config.ts';
import { expectNoViolations } from '../support/axe.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { PageErrors } from '../support/page-errors.ts';
import { ScriptedSpeechStack, type TranscribedTalk } from '../support/scripted-speech-stack.ts';
import { ServerAccount } from '../support/server-account.ts';
import { readXmind } from '../support/xmind.ts';

const owner = 'understood@example.org';
const lines = [
  'Today we talk about the spring concert and the choir.',
  'The choir concert is on March 9.',
  'Miriam, please call the soloists by Thursday.',
  'We have to order the printed programmes before the end of the month.',
  'Remember that the choir needs four tenors for the motet.',
  'The printed programmes cost 420 euros.',
  'The hall costs 85 euros.',
  'We need one more rehearsal for the motet.',
  'Who writes the notes for the programmes?',
  'The heating of the hall will be repaired by then.',
];
const nodeTexts = { ar: 'نزرع أشجار الزيتون', zh: '我们明天见面', th: 'ประชุมพรุ่งนี้' };

const pageErrors = new PageErrors();
let environment: ScriptedSpeechStack;
let browser: Browser;
let page: Page;
let app: LinnetApp;
let talk: TranscribedTalk;
let task: Task;
let document: SummaryDocument;

async function openClient(width: number, height: number): Promise<{ page: Page; app: LinnetApp }> {
  const context: BrowserContext = await browser.newContext({
    viewport: { width, height },
    locale: 'en-GB',
    hasTouch: width < 900,
  });
  pageErrors.listenTo(context);
  const freshPage = await context.newPage();
  const opened = new LinnetApp(freshPage, environment.stack);
  await opened.open('/pages/index');
  await opened.signIn(owner);
  await expect(opened.rows('done')).toHaveCount(1);
  return { page: freshPage, app: opened };
}

test.beforeAll(async () => {
  environment = await ScriptedSpeechStack.start();
  const account = await ServerAccount.register(environment.stack, owner);
  const recordedAt = '2026-02-21T10:00:00Z';
  talk = await environment.transcribe(account, {
    title: 'Choir',
    language: 'en',
    lines,
    recordedAt,
    pause: 2.5,
  });
  task = await account.getTask(talk.taskId);
  document = task.summary_json as SummaryDocument;
  browser = await chromium.launch({ ...config.use?.launchOptions, args: chromiumFlags });
  ({ page, app } = await openClient(390, 844));
});
test.afterAll(async () => {
  await browser?.close();
  await environment?.stop();
});
test.afterEach(() => {
  expect(pageErrors.takeUnexpected()).toEqual([]);
});

let wideClient: ReturnType<typeof openClient> | undefined;
/** Returns the account's second client, which has a wide screen. */
const getDesktop = () => (wideClient ??= openClient(1280, 800));

const partUrl = (tab: string, id = talk.id) => `/pages/fileDetail?id=${id}&tab=${tab}`;
const items = (onPage: Page = page) => onPage.getByTestId('understood-item');

/** Waits for a change from the other client. A network event makes the phone poll immediately. */
async function expectReceived(check: (within: { timeout: number }) => Promise<void>) {
  await expect(async () => {
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await check({ timeout: 2000 });
  }).toPass({ timeout: 120_000 });
}

/**
 * Performs an action and waits for the download it starts.
 * @returns the file's name and content
 */
async function download(action: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), action()]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

test('lists show all extracted items, and each item links to its source', async () => {
  const lists = {
    timeline: document.timeline,
    knowledge: document.knowledge_points,
    todos: document.todos,
    needs: document.needs,
    questions: document.questions,
    finance: document.finance,
    topics: document.topics,
  };
  // The following assertions need at least one item in these lists.
  for (const name of ['timeline', 'todos', 'questions', 'finance'] as const) {
    expect(lists[name].length, name).toBeGreaterThan(0);
  }
  for (const [name, found] of Object.entries(lists)) {
    await app.show(partUrl(name));
    if (found.length === 0) {
      await expect(page.locator('.empty'), name).toBeVisible();
    } else {
      await expect(page.getByTestId(`tab-${name}`)).toContainText(String(found.length));
      await expect(items()).toHaveCount(found.length);
      for (const { text } of found)
        await expect(items().filter({ hasText: text }).first()).toBeVisible();
      await expect(page.locator('.detail-label')).toContainText(
        'selected from the transcript by the built-in analyzer',
      );
    }
  }

  const [question] = document.questions;
  await app.show(partUrl('questions'));
  await items().first().getByTestId('play-time').click();
  await expect
    .poll(async () => Number(await page.getByTestId('player').getAttribute('data-position')))
    .toBeGreaterThanOrEqual(question?.start_time ?? Number.NaN);
  await items().first().getByTestId('to-source').click();
  await page.waitForURL(`**/pages/fileDetail?id=${talk.id}&paragraph=${question?.paragraph_id}`);
  await expect(page.locator(`[data-paragraph-id="${question?.paragraph_id}"]`)).toBeInViewport();
});

test('a checked to-do stays checked on every client, and can be exported to a calendar', async () => {
  await app.show(partUrl('todos'));
  const first = items().first().getByTestId('tick');
  await first.focus();
  await page.keyboard.press('Space');
  await expect(page.getByTestId('todos-done')).toContainText(`1 of ${document.todos.length}`);
  await page.reload();
  await expect(first).toBeChecked();

  const allTodos = await download(() => page.getByTestId('todos-to-calendar').click());
  expect(allTodos.name).toMatch(/^2026-02-21 .*\.ics$/);
  const todos = new ICAL.Component(ICAL.parse(allTodos.bytes.toString())).getAllSubcomponents(
    'vtodo',
  );
  expect(todos.map((each) => each.getFirstPropertyValue('summary'))).toEqual(
    document.todos.map(({ text }) => text),
  );
  expect(todos.map((each) => each.getFirstPropertyValue('due')?.toString() ?? null)).toEqual(
    document.todos.map(({ due }) => due),
  );
  expect(todos[0]?.getFirstPropertyValue('status')).toBe('COMPLETED');
  const singleTodo = await download(() => items().nth(1).getByTestId('todo-to-calendar').click());
  const [single, ...others] = new ICAL.Component(
    ICAL.parse(singleTodo.bytes.toString()),
  ).getAllSubcomponents('vtodo');
  expect(others).toEqual([]);
  expect(single?.getFirstPropertyValue('uid')).toBe(todos[1]?.getFirstPropertyValue('uid'));

  const { app: deskApp, page: deskPage } = await getDesktop();
  await deskApp.show(partUrl('todos'));
  const deskTick = items(deskPage).first().getByTestId('tick');
  await expect(deskTick).toBeChecked();
  await expectNoViolations(deskPage);
  await deskTick.focus();
  await deskPage.keyboard.press('Space');
  await expect(deskTick).not.toBeChecked();
  await expectReceived((within) => expect(first).not.toBeChecked(within));
});

test('a mind map can be navigated and edited by keyboard, mouse and touch, and exported', async () => {
  await app.show(partUrl('mindMap'));
  const nodes = page.getByTestId('map-node');
  const node = (name: string) => page.getByRole('treeitem', { name, exact: true });
  const generated = task.xmind_json ?? [];
  expect(generated.length).toBeGreaterThan(3);
  await expect(nodes).toHaveCount(generated.length);
  await expectNoViolations(page);
  const enterText = async (text: string) => {
    await page.getByRole('alertdialog').getByRole('textbox').fill(text);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alertdialog')).toHaveCount(0);
  };

  await test.step('the map is panned and zoomed', async () => {
    const layer = page.getByTestId('map-layer');
    const scale = async () =>
      Number(/scale\(([\d.]+)\)/.exec((await layer.getAttribute('transform')) ?? '')?.[1]);
    const before = await scale();
    await page.getByTestId('map-zoom-in').click();
    await expect.poll(scale).toBeCloseTo(before * 1.3, 2);
    await page.getByTestId('map-picture').hover();
    await page.mouse.wheel(0, 400);
    await expect.poll(scale).toBeLessThan(before * 1.2);
    const box = await page.locator('.map-frame').boundingBox();
    const { x = 0, y = 0, width = 0, height = 0 } = box ?? {};
    const [cx, cy, wheeled] = [x + width / 2, y + height - 40, await scale()];
    const touch = await page.context().newCDPSession(page);
    const fingers = (type: 'touchStart' | 'touchMove' | 'touchEnd', apart: number) =>
      touch.send('Input.dispatchTouchEvent', {
        type,
        touchPoints:
          type === 'touchEnd'
            ? []
            : [-1, 1].map((side, id) => ({ x: cx + side * apart, y: cy, id })),
      });
    await fingers('touchStart', 30);
    for (const apart of [40, 50, 60]) await fingers('touchMove', apart);
    await fingers('touchEnd', 0);
    await expect.poll(scale).toBeGreaterThan(wheeled * 1.5);
    await page.getByTestId('map-fit').click();
    for (const each of await nodes.all()) await expect(each).toBeInViewport({ ratio: 0.01 });
  });

  await test.step('nodes are navigated, folded and edited by keyboard', async () => {
    await nodes.first().focus();
    await page.keyboard.press('ArrowRight');
    const branch = generated.find(({ parentid }) => parentid === generated[0]?.id);
    await expect(page.locator('[role="treeitem"][aria-selected="true"]')).toHaveAttribute(
      'data-node',
      branch?.id ?? '',
    );
    await page.keyboard.press('Enter');
    await enterText(nodeTexts.ar);
    await expect(node(nodeTexts.ar)).toBeFocused();
    await page.keyboard.press('Insert');
    await enterText(nodeTexts.zh);
    await expect(node(nodeTexts.zh)).toBeFocused();
    await page.keyboard.press('Shift+Enter');
    await enterText(nodeTexts.th);
    await expect(node(nodeTexts.th)).toBeFocused();
    await page.keyboard.press('Alt+ArrowUp');
    await expect
      .poll(async () => {
        const labels = await nodes.evaluateAll((each) =>
          each.map((item) => item.getAttribute('aria-label')),
        );
        return labels.indexOf(nodeTexts.zh) - labels.indexOf(nodeTexts.th);
      })
      .toBe(1);
    await page.keyboard.press('ArrowLeft');
    const count = await nodes.count();
    await page.keyboard.press('Space');
    await expect(page.locator('[role="treeitem"][aria-expanded="false"]')).toHaveCount(1);
    expect(await nodes.count()).toBeLessThan(count);
    await page.keyboard.press('ArrowRight');
    await expect(nodes).toHaveCount(count);
    await node(nodeTexts.th).focus();
    await app.performAndUndo(async () => {
      await page.keyboard.press('Delete');
      await expect(node(nodeTexts.th)).toHaveCount(0);
    });
    await expect(node(nodeTexts.th)).toHaveCount(1);
    await expectNoViolations(page);
  });

  await test.step('a toast undoes only its own action, and Escape closes only the innermost element', async () => {
    await page.getByTestId('map-full-screen').click();
    await node(nodeTexts.th).focus();
    await app.performAndUndo(async () => {
      await page.keyboard.press('Delete');
      await expect(node(nodeTexts.th)).toHaveCount(0);
      await node(nodeTexts.zh).focus();
      await page.keyboard.press('F2');
      await enterText('Renamed since');
    });
    await expect(node(nodeTexts.th)).toHaveCount(1);
    await expect(node('Renamed since')).toHaveCount(1);
    await page.getByTestId('map-undo').click();
    await expect(node(nodeTexts.zh)).toHaveCount(1);
    await node(nodeTexts.zh).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('alertdialog')).toHaveCount(0);
    await expect(page.getByTestId('mind-map')).toHaveAttribute('data-full-screen', 'true');
    await node(nodeTexts.zh).focus();
    await page.keyboard.press('Escape');
    await expect(page.getByTestId('mind-map')).not.toHaveAttribute('data-full-screen');
  });

  await test.step('the view survives a reload', async () => {
    const nodeCount = await nodes.count();
    const folded = page.locator('[role="treeitem"][aria-expanded="false"]');
    await node(nodeTexts.ar).focus();
    await page.keyboard.press('Space');
    await expect(folded).toHaveCount(1);
    await page.getByTestId('map-zoom-in').click();
    const transform = async () =>
      (await page.getByTestId('map-layer').getAttribute('transform')) ?? '';
    const before = await transform();
    // The view is saved once it stops moving.
    const savedView = () =>
      page.evaluate(() => JSON.parse(localStorage.getItem('linnet.mindMaps') ?? '[]')[0]?.place);
    await expect
      .poll(async () => `scale(${(await savedView())?.scale.toFixed(4)})`)
      .toBe(before.split(' ')[2]);
    await page.reload();
    await expect(folded).toHaveCount(1);
    await expect.poll(transform).toBe(before);
    await page.getByTestId('map-fold-all').click();
    await expect(nodes).toHaveCount(nodeCount);
  });

  await test.step('the map stays visible when the screen is rotated', async () => {
    const [desktop, portrait, landscape] = [
      { width: 1280, height: 900 },
      { width: 390, height: 844 },
      { width: 844, height: 390 },
    ];
    const transform = async () =>
      (await page.getByTestId('map-layer').getAttribute('transform')) ?? '';
    /** Returns the visible fraction of a node within the map's frame, regardless of the page's scroll position. */
    const visibleFraction = (node: Locator) =>
      node.locator('.map-box').evaluate((box) => {
        const rect = box.getBoundingClientRect();
        const frame = box.closest('.map-frame')?.getBoundingClientRect() ?? new DOMRect();
        const width = Math.min(rect.right, frame.right) - Math.max(rect.left, frame.left);
        const height = Math.min(rect.bottom, frame.bottom) - Math.max(rect.top, frame.top);
        return (Math.max(width, 0) * Math.max(height, 0)) / (rect.width * rect.height);
      });
    // Leave the mind map before removing its saved view, because it would save the view again when it is resized.
    await app.show('/pages/files');
    await page.evaluate(() => localStorage.removeItem('linnet.mindMaps'));
    await page.setViewportSize(desktop);
    await app.open(partUrl('mindMap'));
    const root = nodes.first();
    await expect(root).toBeVisible();
    const first = await transform();
    for (const size of [portrait, landscape, portrait]) {
      await page.setViewportSize(size);
      await expect.poll(() => visibleFraction(root)).toBeCloseTo(1);
    }
    await page.setViewportSize(desktop);
    await expect.poll(transform).toBe(first);
    // A map that the user hasn't moved is positioned to fit its frame.
    await page.setViewportSize(portrait);
    await page.reload();
    await expect.poll(() => visibleFraction(root)).toBeCloseTo(1);
    // The selected node stays visible.
    await page.setViewportSize(desktop);
    await node(nodeTexts.zh).focus();
    await page.getByTestId('map-zoom-in').click();
    for (const size of [portrait, landscape, portrait]) {
      await page.setViewportSize(size);
      await expect.poll(() => visibleFraction(node(nodeTexts.zh))).toBeCloseTo(1);
    }
  });

  await test.step('edits survive a reload and sync with a second client, where a branch is moved', async () => {
    await page.reload();
    await expect(nodes).toHaveCount(generated.length + 2);
    await expect(page.getByTestId('map-edited')).toBeVisible();
    const { app: deskApp, page: deskPage } = await getDesktop();
    await deskApp.show(partUrl('mindMap'));
    await deskPage.evaluate(() => window.dispatchEvent(new Event('online')));
    const deskNode = (name: string) => deskPage.getByRole('treeitem', { name, exact: true });
    await expect(deskNode(nodeTexts.zh)).toHaveCount(1);
    await deskPage.getByTestId('map-fit').click();
    await expectNoViolations(deskPage);
    const last = generated.at(-1)?.topic ?? '';
    const center = async (name: string) => {
      const box = await deskNode(name).locator('.map-box').boundingBox();
      return {
        x: (box?.x ?? 0) + (box?.width ?? 0) / 2,
        y: (box?.y ?? 0) + (box?.height ?? 0) / 2,
      };
    };
    const [from, to] = [await center(nodeTexts.zh), await center(last)];
    await deskPage.mouse.move(from.x, from.y);
    await deskPage.mouse.down();
    await deskPage.mouse.move(from.x + 20, from.y + 20, { steps: 3 });
    await deskPage.mouse.move(to.x, to.y, { steps: 5 });
    await deskPage.mouse.up();
    await deskApp.expectToast('Branch moved');
    await page.locator('.map-tools .choice label').nth(1).click();
    const line = page.locator('.outline-line').filter({ hasText: last }).last();
    await expectReceived((within) =>
      expect(line.locator('xpath=following-sibling::*[1]')).toContainText(nodeTexts.zh, within),
    );
  });

  await test.step('the map is exported in every format', async () => {
    const saveMap = (format: string) =>
      download(async () => {
        await page.getByTestId('map-save').click();
        await page.getByRole('menuitem', { name: format }).click();
      });
    const texts = Object.values(nodeTexts);
    const savedMarkdown = await saveMap('Markdown');
    // Markdown files other than the transcript's have a suffix after the recording's name.
    expect(savedMarkdown.name).toMatch(/ \(Mind map\)\.md$/);
    const markdown = savedMarkdown.bytes.toString();
    for (const text of texts) expect(markdown).toContain(`- ${text}`);

    const svg = (await saveMap('SVG')).bytes.toString();
    const picture = await page.evaluate((source) => {
      const root = new DOMParser().parseFromString(source, 'image/svg+xml').documentElement;
      const nodes = [...root.querySelectorAll('text')].map((text) => text.textContent);
      const size = [root.getAttribute('width'), root.getAttribute('height')].map(Number);
      return { name: root.nodeName, nodes, size };
    }, svg);
    expect(picture.name).toBe('svg');
    expect(picture.nodes).toHaveLength(generated.length + 2);
    expect(picture.nodes).toEqual(expect.arrayContaining(texts));

    const png = await saveMap('PNG');
    expect(png.name).toMatch(/\.png$/);
    expect([png.bytes.readUInt32BE(16), png.bytes.readUInt32BE(20)]).toEqual(
      picture.size.map((each) => each * 2),
    );
    const colorCount = await page.evaluate(async (base64) => {
      const image = new Image();
      image.src = `data:image/png;base64,${base64}`;
      await image.decode();
      const canvas = Object.assign(globalThis.document.createElement('canvas'), {
        ...{ width: image.width, height: image.height },
      });
      const context = canvas.getContext('2d') as CanvasRenderingContext2D;
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
      return new Set(new Uint32Array(data.buffer)).size;
    }, png.bytes.toString('base64'));
    expect(colorCount).toBeGreaterThan(20);

    const xmind = await saveMap('XMind');
    const file = test.info().outputPath(xmind.name);
    await writeFile(file, xmind.bytes);
    const { titles, creator } = readXmind(file);
    expect(creator).toBe('Linnet');
    expect(titles).toEqual(expect.arrayContaining(texts));
    expect(titles).toHaveLength(generated.length + 2);
  });

  await test.step('restoring the generated map can be undone', async () => {
    await page.locator('.map-tools .choice label').first().click();
    await page.getByTestId('map-restore').click();
    await expect(nodes).toHaveCount(generated.length);
    await expect(page.getByTestId('map-edited')).toHaveCount(0);
    await page.getByTestId('map-undo').click();
    await expect(nodes).toHaveCount(generated.length + 2);
    await page.getByTestId('map-restore').click();
    await expect(nodes).toHaveCount(generated.length);
    await page.reload();
    await expect(nodes).toHaveCount(generated.length);
  });
});

test('arrow keys select a summary structure, and only the button requests a summary', async () => {
  await app.show(partUrl('summary'));
  const requests: string[] = [];
  page.on('request', (request) => {
    if (/\/api\/.*summar/.test(request.url())) requests.push(request.url());
  });
  await page.getByTestId('structure-general').locator('input').focus();
  // Members get summaries with all structures except the custom one, which the user has to define.
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByTestId('structure-custom').locator('input')).toBeChecked();
  await expect(page.getByTestId('summary')).toContainText(
    'There’s no summary with this template yet',
  );
  await expect(page.getByTestId('template-name')).toHaveCount(0);
  expect(requests).toEqual([]);
  await page.getByTestId('summarize').focus();
  await page.keyboard.press('Enter');
  await page.getByTestId('template-name').fill('Concert');
  await page.getByTestId('template-heading-0').fill('The hall');
  await page.getByTestId('template-save').click();
  await expect(page.getByTestId('summary').getByRole('heading', { name: 'The hall' })).toBeVisible({
    timeout: 60_000,
  });
  expect(requests.length).toBeGreaterThan(0);
  await page.getByTestId('structure-general').click();
  await page.getByTestId('summary').getByTestId('to-source').first().click();
  await page.waitForURL(/paragraph=/);
});
