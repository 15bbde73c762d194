import { createContext, use, useCallback, useSyncExternalStore } from 'react';
import { isMember } from '../ports/member.ts';
import type { ServerInfo } from '../ports/server.ts';
import type { Services, SignedOutServices } from '../ports/services.ts';
import type { Store } from '../ports/store.ts';
import { paths } from './paths.ts';

const SignedOutContext = createContext<SignedOutServices | null>(null);
export const SignedOutProvider = SignedOutContext.Provider;
const ServicesContext = createContext<Services | null>(null);
export const ServicesProvider = ServicesContext.Provider;

/** Returns the services available without signing in. */
export function useSignedOutServices(): SignedOutServices {
  const services = use(SignedOutContext);
  if (!services) throw new Error('useSignedOutServices() outside <App>');
  return services;
}

/** Returns the services for pages that require sign-in. */
export function useServices(): Services {
  const services = use(ServicesContext);
  if (!services) throw new Error('useServices() outside <ServicesProvider>');
  return services;
}

/** Returns a store's current value, and re-renders the component when it changes. */
export function useStore<T>(store: Store<T>): T {
  const subscribe = useCallback((listener: () => void) => store.subscribe(listener), [store]);
  const get = useCallback(() => store.get(), [store]);
  return useSyncExternalStore(subscribe, get);
}

/** Returns the last known server info, or null before the server's first response. */
export function useServerInfo(): ServerInfo | null {
  const server = useStore(useSignedOutServices().server);
  return server.status === 'unknown' ? null : server.info;
}

/** Returns whether member features are available. On a server without billing, they are available to all users. */
export function useMember(): boolean {
  const { account } = useSignedOutServices();
  const membership = useStore(account.membership);
  const state = useStore(account.state);
  const serverInfo = useServerInfo();
  return isMember(membership, state, new Date()) || serverInfo?.billing === 'off';
}

/** Returns the back button's target on public screens without history. */
export function useHome(): string {
  const account = useStore(useSignedOutServices().account.state);
  return account.status === 'signed-in' ? paths.me : paths.entry;
}
