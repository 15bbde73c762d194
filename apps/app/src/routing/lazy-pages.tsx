/** Creates the page table's lazily loaded components and preloads them. */
import type { ComponentType } from 'react';
import { loadNamespace } from '../i18n/index.ts';
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

/** The shell around signed-in screens, loaded together with its translations. */
export const Shell = lazyPage(async () => {
  const [{ Shell: shell }] = await Promise.all([layout(), loadNamespace('signed-in')]);
  return { default: shell };
});

/** The frame around the Files page and the recording page. */
export const Library = lazyPage(async () => ({ default: (await layout()).Library }));

/** Components keyed by loader, because pages with the same code share one component. */
const componentsByLoader = new Map<PageCode['load'], LazyPage<object>>();

function lazyComponent({ load, namespaces }: PageCode): LazyPage<object> {
  const existing = componentsByLoader.get(load);
  if (existing) return existing;
  const component = lazyPage<object>(async () => {
    const [page] = await Promise.all([load(), ...namespaces.map(loadNamespace)]);
    return page;
  });
  componentsByLoader.set(load, component);
  return component;
}

/** Creates a page's element, with the props from the page table. */
export function pageElement({ code, props }: PageEntry) {
  const Page: ComponentType<object> = lazyComponent(code);
  return <Page {...props} />;
}

/** Each frame's components, outermost first. */
const frameComponents: Readonly<Record<PageFrame, readonly LazyPage<object>[]>> = {
  library: [Shell, Library],
  shell: [Shell],
  'shell-if-signed-in': [],
  none: [],
};

const entriesByPath = new Map(
  pageNames.map((name) => [paths[name] as string, pageTable[name] as PageEntry]),
);

/** The Files page, which stays visible beside a recording on wide screens. */
export const Files = lazyComponent(pageTable.files.code);

/**
 * Preloads the code for the page at `url` and for its frame.
 * @param pause awaited before each part but the first, to avoid blocking the main thread
 */
export async function preloadPath(url: string, pause?: () => Promise<void>): Promise<void> {
  const [path = ''] = url.split('?');
  const entry = entriesByPath.get(path);
  if (!entry) return;
  const companions = entry.frame === 'library' ? [Files] : [];
  const parts = new Set([
    ...frameComponents[entry.frame],
    lazyComponent(entry.code),
    ...companions,
  ]);
  let queue = Promise.resolve();
  await Promise.all(
    [...parts].map((part, index) => {
      if (pause && index > 0) queue = queue.then(pause);
      return queue.then(part.preload);
    }),
  );
}
