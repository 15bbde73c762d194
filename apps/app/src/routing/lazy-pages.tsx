/** Lazily loaded components of the page table, with preloading. */
import type { ComponentType } from 'react';
import { loadWords } from '../i18n/index.ts';
import { paths } from '../page-kit/paths.ts';
import { type LazyPage, lazyPage } from '../ui/lazy-page.ts';
import {
  type PageCode,
  type PageEntry,
  type PageFrame,
  pageNames,
  pageTable,
} from './page-table.ts';

const layout = () => import('./layout.tsx');

/** The shell of signed-in screens, loaded with its translations. */
export const Shell = lazyPage(async () => {
  const [{ Shell: shell }] = await Promise.all([layout(), loadWords('signed-in')]);
  return { default: shell };
});

/** The frame of Files and a recording. */
export const Library = lazyPage(async () => ({ default: (await layout()).Library }));

/** Pages with the same code share one component. */
const byCode = new Map<PageCode['load'], LazyPage<object>>();

function lazyComponent({ load, words }: PageCode): LazyPage<object> {
  const existing = byCode.get(load);
  if (existing) return existing;
  const component = lazyPage<object>(async () => {
    const [page] = await Promise.all([load(), ...words.map(loadWords)]);
    return page;
  });
  byCode.set(load, component);
  return component;
}

/** A page of the table with its props. */
export function pageElement({ code, props }: PageEntry) {
  const Page: ComponentType<object> = lazyComponent(code);
  return <Page {...props} />;
}

/** Components of each frame, outermost first. */
const framesOf: Readonly<Record<PageFrame, readonly LazyPage<object>[]>> = {
  library: [Shell, Library],
  shell: [Shell],
  'shell-if-signed-in': [],
  none: [],
};

const byPath = new Map(
  pageNames.map((name) => [paths[name] as string, pageTable[name] as PageEntry]),
);

/** The list of recordings, shown beside a recording on wide screens. */
export const Files = lazyComponent(pageTable.files.code);

/**
 * Preloads the page at an address and its frame.
 * @param pause awaited between the parts
 */
export async function preloadPath(address: string, pause?: () => Promise<void>): Promise<void> {
  const [path = ''] = address.split('?');
  const entry = byPath.get(path);
  if (!entry) return;
  const companions = entry.frame === 'library' ? [Files] : [];
  const parts = new Set([...framesOf[entry.frame], lazyComponent(entry.code), ...companions]);
  let queue = Promise.resolve();
  await Promise.all(
    [...parts].map((part, place) => {
      if (pause && place > 0) queue = queue.then(pause);
      return queue.then(part.preload);
    }),
  );
}
