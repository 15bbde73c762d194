import { type ComponentType, createElement, use } from 'react';

/** A screen's code is given up after this long (specification, section 9). */
const chunkTimeoutMs = 60_000;
/** How long to wait before the one retry, which outlives a dropped connection (section 9). */
const chunkRetryDelayMs = 200;

/** Why a screen's code did not come. */
export class ChunkError extends Error {
  override readonly name = 'ChunkError';
  readonly code: 'timeout' | 'missing';

  constructor(code: 'timeout' | 'missing', options?: { cause?: unknown }) {
    super(code, options);
    this.code = code;
  }
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Loads a screen's code within the time limit, trying a failed file once more. */
export async function loadChunk<T>(load: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ChunkError('timeout')), chunkTimeoutMs);
  });
  const twice = async () => {
    try {
      return await load();
    } catch {
      // The cause of the second failure is what gets reported.
      await delay(chunkRetryDelayMs);
      return load();
    }
  };
  try {
    return await Promise.race([twice(), timeout]);
  } catch (cause) {
    throw cause instanceof ChunkError ? cause : new ChunkError('missing', { cause });
  } finally {
    clearTimeout(timer);
  }
}

/** A component whose code is loaded on demand, or ahead of being shown. */
export type LazyPage<Props extends object> = ComponentType<Props> & {
  /** Resolves when it can be rendered at once. Rejects with {@link ChunkError}. */
  preload(): Promise<void>;
};

const failed = new Set<() => void>();

/** Keeps a failure, so that whoever renders it reads it, until it is asked for again: then `forget` is called. */
export function onAskedAgain(forget: () => void): void {
  failed.add(forget);
}

/** Lets everything that did not come be asked for again. */
export function forgetFailedChunks(): void {
  for (const forget of failed) forget();
  failed.clear();
}

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
