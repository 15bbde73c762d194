/**
 * Renders the app's pages in the simulated DOM that the page tests use. The pages, the router, the translations and the
 * page kit are the app's own. Only the services are replaced: by those of the workbench, or by a test's own.
 */
import { act, render } from '@testing-library/react';
import { PointerEventsCheckLevel, type UserEvent, userEvent } from '@testing-library/user-event';
import { MemoryRouter, useLocation } from 'react-router';
import { chooseLanguage, type InterfaceLanguage, startLanguage } from '../i18n/index.ts';
import type { Services } from '../ports/services.ts';
import { Frame } from '../routing/App.tsx';
import { preloadPath } from '../routing/lazy-pages.tsx';
import { AppRoutes } from '../routing/routes.tsx';
import { createFixtureServices } from '../workbench/fixture-services.ts';

export { createFixtureServices };

/** A rendered page. Query its document with `screen`. */
export type RenderedPage = {
  /** Clicks and types as a user does. Its clipboard replaces the browser's. */
  readonly user: UserEvent;
  /** Returns the current path and query. */
  address(): string;
};

let started: Promise<void> | undefined;

/**
 * Switches the interface language.
 * @param language null to follow the browser
 */
export async function setLanguage(language: InterfaceLanguage | null): Promise<void> {
  started ??= startLanguage();
  await started;
  await chooseLanguage(language);
}

/**
 * Renders the page at a path, inside the same frames as in the app, and resolves once the page's code has loaded. Data
 * that the page loads may arrive later, so assert with `findBy…` or `waitFor`.
 * @param path the page's path, with its query
 * @param services by default, those of the workbench: a signed-in member with a connected recorder and recordings
 */
export async function renderPage(
  path: string,
  services: Services = createFixtureServices({}),
  { language = 'en' }: { readonly language?: InterfaceLanguage | null } = {},
): Promise<RenderedPage> {
  await setLanguage(language);
  await preloadPath(path);
  let address = path;
  function Address() {
    const { pathname, search } = useLocation();
    address = pathname + search;
    return null;
  }
  const ready = Promise.resolve({ services });
  const load = () => ready;
  // Awaited, because the page reads its services from a promise.
  await act(async () => {
    render(
      <Frame services={services}>
        <MemoryRouter initialEntries={[path]} useTransitions={false}>
          <Address />
          <AppRoutes load={load} loadDemo={load} />
        </MemoryRouter>
      </Frame>,
    );
  });
  // Without style sheets, every element accepts the pointer.
  const user = userEvent.setup({ pointerEventsCheck: PointerEventsCheckLevel.Never });
  return { user, address: () => address };
}
