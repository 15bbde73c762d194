import { DirectionProvider } from '@base-ui/react/direction-provider';
import { type ReactNode, Suspense } from 'react';
import { BrowserRouter } from 'react-router';
import { directionOf, loadWords, useLanguage } from '../i18n/index.ts';
import type { LoadServices, VisitorServices } from '../services.ts';
import { lazyPage } from '../ui/lazy-page.ts';
import { Toasts } from '../ui/toast.tsx';
import { paths } from './pages.ts';
import { AppRoutes } from './routes.tsx';
import { VisitorProvider } from './services-context.ts';
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

/** Everything around the screens but the router: direction, services, toasts. */
export function Frame({ services, children }: { services: VisitorServices; children: ReactNode }) {
  const language = useLanguage();
  return (
    <DirectionProvider direction={directionOf(language)}>
      <VisitorProvider value={services}>
        <Toasts>{children}</Toasts>
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
