import { createContext, use, useCallback, useSyncExternalStore } from 'react';
import { isMember } from '../ports/member.ts';
import type { Services, VisitorServices } from '../ports/services.ts';
import type { Store } from '../ports/store.ts';
import { paths } from './paths.ts';

const VisitorContext = createContext<VisitorServices | null>(null);
export const VisitorProvider = VisitorContext.Provider;
const ServicesContext = createContext<Services | null>(null);
export const ServicesProvider = ServicesContext.Provider;

/** The services of screens that nobody has to be signed in for. */
export function useVisitorServices(): VisitorServices {
  const services = use(VisitorContext);
  if (!services) throw new Error('a screen was rendered outside <App>');
  return services;
}

/** The services that pages behind sign-in are built on. */
export function useServices(): Services {
  const services = use(ServicesContext);
  if (!services) throw new Error('a page was rendered for nobody');
  return services;
}

/** The value of a store, as long as it is on screen. */
export function useStore<T>(store: Store<T>): T {
  const subscribe = useCallback((listener: () => void) => store.subscribe(listener), [store]);
  const get = useCallback(() => store.get(), [store]);
  return useSyncExternalStore(subscribe, get);
}

/** What the server last said of itself; null while it never answered. */
export function useServerFacts() {
  const server = useStore(useVisitorServices().server);
  return { facts: server.status === 'unknown' ? null : server.facts };
}

/** Whether everything is open to this account: a member's, or any where nothing is billed. */
export function useMember(): boolean {
  const { account } = useVisitorServices();
  const membership = useStore(account.membership);
  const state = useStore(account.state);
  const { facts } = useServerFacts();
  return isMember(membership, state, new Date()) || facts?.billing === 'off';
}

/** Where back leads from a screen that is open to everybody, when there is no past. */
export function useHome(): string {
  const account = useStore(useVisitorServices().account.state);
  return account.status === 'signed-in' ? paths.me : paths.entry;
}
