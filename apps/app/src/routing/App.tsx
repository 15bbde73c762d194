import { DirectionProvider } from '@base-ui/react/direction-provider';
import { type ReactNode, Suspense } from 'react';
import { BrowserRouter } from 'react-router';
import { directionOf, loadWords, useLanguage } from '../i18n/index.ts';
import { PreloadProvider } from '../page-kit/navigation.tsx';
import { paths } from '../page-kit/paths.ts';
import { VisitorProvider } from '../page-kit/services-context.ts';
import type { LoadServices, VisitorServices } from '../ports/services.ts';
import { lazyPage } from '../ui/lazy-page.ts';
import { Toasts } from '../ui/toast.tsx';
import { preloadPath } from './lazy-pages.tsx';
import { AppRoutes } from './routes.tsx';
import { ScreenBoundary } from './system-screens.tsx';
import './shell.css';

const Workbench = lazyPage(async () => {
  const [workbench] = await Promise.all([
    import('../workbench/workbench.tsx'),
    loadWords('signed-in'),
    loadWords('doorstep'),
  ]);
  return workbench;
});

/** Everything around the pages but the router: direction, services, preloading, toasts. */
export function Frame({ services, children }: { services: VisitorServices; children: ReactNode }) {
  const language = useLanguage();
  return (
    <DirectionProvider direction={directionOf(language)}>
      <VisitorProvider value={services}>
        <PreloadProvider value={preloadPath}>
          <Toasts>{children}</Toasts>
        </PreloadProvider>
      </VisitorProvider>
    </DirectionProvider>
  );
}

/** The app. `startLanguage()` has to have resolved. */
export function App({
  visitor,
  load,
  loadDemo,
}: {
  visitor: VisitorServices;
  load: LoadServices;
  loadDemo: LoadServices;
}) {
  if (window.location.pathname === paths.workbench) return <WorkbenchScreen />;
  return (
    <Frame services={visitor}>
      <BrowserRouter useTransitions={false}>
        <AppRoutes load={load} loadDemo={loadDemo} />
      </BrowserRouter>
    </Frame>
  );
}

/** The component workbench, which has a router and fixtures of its own. */
export function WorkbenchScreen() {
  return (
    <ScreenBoundary at="workbench">
      <Suspense fallback={null}>
        <Workbench />
      </Suspense>
    </ScreenBoundary>
  );
}
