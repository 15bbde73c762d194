import { DirectionProvider } from '@base-ui/react/direction-provider';
import { type ReactNode, Suspense } from 'react';
import { BrowserRouter } from 'react-router';
import { getDirection, loadNamespace, useLanguage } from '../i18n/index.ts';
import { PreloadProvider } from '../page-kit/navigation.tsx';
import { paths } from '../page-kit/paths.ts';
import { SignedOutProvider } from '../page-kit/services-context.ts';
import type { LoadServices, SignedOutServices } from '../ports/services.ts';
import { lazyPage } from '../ui/lazy-page.ts';
import { Toasts } from '../ui/toast.tsx';
import { preloadPath } from './lazy-pages.tsx';
import { AppRoutes } from './routes.tsx';
import { ScreenBoundary } from './system-screens.tsx';
import './shell.css';

const Workbench = lazyPage(async () => {
  const [workbench] = await Promise.all([
    import('../workbench/workbench.tsx'),
    loadNamespace('signed-in'),
    loadNamespace('doorstep'),
  ]);
  return workbench;
});

/** Wraps all pages in the providers they share, except the router: text direction, services, preloading, toasts. */
export function Frame({
  services,
  children,
}: {
  services: SignedOutServices;
  children: ReactNode;
}) {
  const language = useLanguage();
  return (
    <DirectionProvider direction={getDirection(language)}>
      <SignedOutProvider value={services}>
        <PreloadProvider value={preloadPath}>
          <Toasts>{children}</Toasts>
        </PreloadProvider>
      </SignedOutProvider>
    </DirectionProvider>
  );
}

/** Renders the app. Await `startLanguage()` first. */
export function App({
  signedOut,
  load,
  loadDemo,
}: {
  signedOut: SignedOutServices;
  load: LoadServices;
  loadDemo: LoadServices;
}) {
  if (window.location.pathname === paths.workbench) return <WorkbenchScreen />;
  return (
    <Frame services={signedOut}>
      <BrowserRouter useTransitions={false}>
        <AppRoutes load={load} loadDemo={loadDemo} />
      </BrowserRouter>
    </Frame>
  );
}

/** Shows the component workbench, which has its own router and fixtures. */
export function WorkbenchScreen() {
  return (
    <ScreenBoundary location="workbench">
      <Suspense fallback={null}>
        <Workbench />
      </Suspense>
    </ScreenBoundary>
  );
}
