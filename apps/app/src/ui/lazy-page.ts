import { type ComponentType, createElement, use } from 'react';
import { loadChunk, onChunkRetry } from '../runtime/chunks.ts';

/** A component whose code is loaded on demand or preloaded. */
export type LazyPage<Props extends object> = ComponentType<Props> & {
  /** Resolves once the component can render without suspending. Rejects with {@link ChunkError}. */
  preload(): Promise<void>;
};

/** A promise that exposes its result, so that `use` can render a loaded component without suspending. */
type TrackedPromise<T> = Promise<T> & { status?: 'fulfilled'; value?: T };

/**
 * Creates a lazily loaded component. Unlike `React.lazy`, it supports preloading and retries, and doesn't suspend once
 * loaded.
 */
export function lazyPage<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyPage<Props> {
  let pending: TrackedPromise<ComponentType<Props>> | undefined;
  const start = () => {
    if (pending) return pending;
    const loading: TrackedPromise<ComponentType<Props>> = loadChunk(load).then((module) => {
      loading.status = 'fulfilled';
      loading.value = module.default;
      return module.default;
    });
    // The rendering component receives the error. This handler only allows a retry.
    loading.catch(() =>
      onChunkRetry(() => {
        pending = undefined;
      }),
    );
    pending = loading;
    return loading;
  };
  const Page = (props: Props) =>
    createElement(use<ComponentType<Props>>(start() as Promise<ComponentType<Props>>), props);
  return Object.assign(Page, {
    preload: async () => {
      await start();
    },
  });
}
