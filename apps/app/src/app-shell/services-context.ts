import { createContext, use, useCallback, useSyncExternalStore } from 'react';
import type { Live, Services, Store } from '../services.ts';

const ServicesContext = createContext<Services | null>(null);
export const ServicesProvider = ServicesContext.Provider;

/** The services the page is built on. */
export function useServices(): Services {
  const services = use(ServicesContext);
  if (!services) throw new Error('a page was rendered outside <App>');
  return services;
}

/** The value of a store, as long as it is on screen. */
export function useStore<T>(store: Store<T>): T {
  const subscribe = useCallback((listener: () => void) => store.subscribe(listener), [store]);
  const get = useCallback(() => store.get(), [store]);
  return useSyncExternalStore(subscribe, get);
}

/** Whether something was read from the on-device database yet, and what. */
export function useLive<T>(live: Live<T>) {
  return useStore(live);
}

/** What the server last said of itself; null while it never answered. */
export function useServerFacts() {
  const server = useStore(useServices().server);
  return { facts: server.status === 'unknown' ? null : server.facts };
}
