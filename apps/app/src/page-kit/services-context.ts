import { createContext, use, useCallback, useSyncExternalStore } from 'react';
import { isMember } from '../ports/member.ts';
import type { Services, SignedOutServices } from '../ports/services.ts';
import type { Store } from '../ports/store.ts';
import { paths } from './paths.ts';

const SignedOutContext = createContext<SignedOutServices | null>(null);
export const SignedOutProvider = SignedOutContext.Provider;
const ServicesContext = createContext<Services | null>(null);
export const ServicesProvider = ServicesContext.Provider;

/** The services available without signing in. */
export function useSignedOutServices(): SignedOutServices {
  const services = use(SignedOutContext);
  if (!services) throw new Error('useSignedOutServices() outside <App>');
  return services;
}

/** The services of pages that require sign-in. */
export function useServices(): Services {
  const services = use(ServicesContext);
  if (!services) throw new Error('useServices() outside <ServicesProvider>');
  return services;
}

/** The current value of a store; re-renders when it changes. */
export function useStore<T>(store: Store<T>): T {
  const subscribe = useCallback((listener: () => void) => store.subscribe(listener), [store]);
  const get = useCallback(() => store.get(), [store]);
  return useSyncExternalStore(subscribe, get);
}

/** The last known facts about the server; null until it first answers. */
export function useServerFacts() {
  const server = useStore(useSignedOutServices().server);
  return { facts: server.status === 'unknown' ? null : server.facts };
}

/** Whether member features are available: to members, and to everyone on servers without billing. */
export function useMember(): boolean {
  const { account } = useSignedOutServices();
  const membership = useStore(account.membership);
  const state = useStore(account.state);
  const { facts } = useServerFacts();
  return isMember(membership, state, new Date()) || facts?.billing === 'off';
}

/** Target of the back button on public screens when there is no history. */
export function useHome(): string {
  const account = useStore(useSignedOutServices().account.state);
  return account.status === 'signed-in' ? paths.me : paths.entry;
}
