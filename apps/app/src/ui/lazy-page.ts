import { type ComponentType, createElement, use } from 'react';
import { loadChunk, onAskedAgain } from '../runtime/chunks.ts';

/** A component whose code is loaded on demand, or ahead of being shown. */
export type LazyPage<Props extends object> = ComponentType<Props> & {
  /** Resolves when it can be rendered at once. Rejects with {@link ChunkError}. */
  preload(): Promise<void>;
};

/** A promise that tells React its outcome, so that `use` renders at once what was loaded before. */
type Told<T> = Promise<T> & { status?: 'fulfilled'; value?: T };

/** Like `React.lazy`, but it can be preloaded, renders at once when it was, and can be retried. */
export function lazyPage<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyPage<Props> {
  let pending: Told<ComponentType<Props>> | undefined;
  const start = () => {
    if (pending) return pending;
    const asked: Told<ComponentType<Props>> = loadChunk(load).then((module) => {
      asked.status = 'fulfilled';
      asked.value = module.default;
      return module.default;
    });
    // Whoever renders it is told why; here it is only made ready to be asked again.
    asked.catch(() =>
      onAskedAgain(() => {
        pending = undefined;
      }),
    );
    pending = asked;
    return asked;
  };
  const Page = (props: Props) =>
    createElement(use<ComponentType<Props>>(start() as Promise<ComponentType<Props>>), props);
  return Object.assign(Page, {
    preload: async () => {
      await start();
    },
  });
}
