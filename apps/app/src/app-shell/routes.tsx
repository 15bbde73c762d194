import { Suspense, use } from 'react';
import { Navigate, Outlet, Route, Routes, useLocation, useNavigate } from 'react-router';
import type { LoadServices } from '../services.ts';
import { pages, paths } from './pages.ts';
import { ServicesProvider, useStore, useVisitorServices } from './services-context.ts';
import { NotFoundScreen, ScreenBoundary } from './system-screens.tsx';

/** Where to go on after signing in, as it stands in the address. */
const nextParameter = 'next';

/** Only places of our own: a foreign address must not be reached through sign-in. */
function nextFrom(search: string): string {
  const next = new URLSearchParams(search).get(nextParameter);
  return next?.startsWith('/pages/') ? next : paths.files;
}

/** What is behind sign-in, with its services. */
function SignedIn({ load }: { load: LoadServices }) {
  return (
    <ServicesProvider value={use(load()).services}>
      <Outlet />
    </ServicesProvider>
  );
}

function RequireAccount({ load }: { load: LoadServices }) {
  const account = useStore(useVisitorServices().account.state);
  const { pathname, search } = useLocation();
  if (account.status === 'loading') return null;
  if (account.status === 'signed-in') return <SignedIn load={load} />;
  // Who left on purpose is not led back to where they were.
  const next =
    account.because === 'left' ? '' : `?${nextParameter}=${encodeURIComponent(pathname + search)}`;
  return <Navigate to={`${paths.entry}${next}`} replace />;
}

function RequireVisitor() {
  const account = useStore(useVisitorServices().account.state);
  const { search } = useLocation();
  if (account.status === 'loading') return null;
  return account.status === 'signed-in' ? <Navigate to={nextFrom(search)} replace /> : <Outlet />;
}

function NotFound() {
  const navigate = useNavigate();
  return <NotFoundScreen onHome={() => navigate(paths.entry)} />;
}

/** Every address. `/` and its alias, the register page, are two faces of one entry screen. */
export function AppRoutes({ load }: { load: LoadServices }) {
  const { pathname } = useLocation();
  return (
    <ScreenBoundary at={pathname}>
      <Suspense fallback={null}>
        <Routes>
          <Route element={<RequireVisitor />}>
            <Route path={paths.entry} element={<pages.entry face="sign-in" />} />
            <Route path={paths.signIn} element={<pages.entry face="sign-in" />} />
            <Route path={paths.register} element={<pages.entry face="sign-up" />} />
            <Route path={paths.forgot} element={<pages.entry face="forgot" />} />
          </Route>
          <Route element={<RequireAccount load={load} />}>
            <Route element={<pages.shell />}>
              <Route element={<pages.library />}>
                <Route path={paths.files} element={null} />
                <Route path={paths.fileDetail} element={<pages.fileDetail />} />
              </Route>
              <Route path={paths.search} element={<pages.search />} />
              <Route path={paths.recycleBin} element={<pages.recycleBin />} />
              <Route path={paths.me} element={<pages.me />} />
              <Route path={paths.deviceConnect} element={<pages.deviceConnect />} />
              <Route path={paths.deviceFiles} element={<pages.deviceFiles />} />
              <Route path={paths.myDevice} element={<pages.myDevice />} />
              <Route path={paths.upgrade} element={<pages.upgrade />} />
              <Route path={paths.vip} element={<pages.vip />} />
              <Route path={paths.payResult} element={<pages.payResult />} />
              <Route path={paths.purchaseRecord} element={<pages.purchaseRecord />} />
              <Route path={paths.transliterationRecord} element={<pages.transliterationRecord />} />
              <Route path={paths.chooseLocation} element={<pages.chooseLocation />} />
              <Route path={paths.openLocation} element={<pages.openLocation />} />
            </Route>
          </Route>
          <Route path="*" element={<NotFound />} />
        </Routes>
      </Suspense>
    </ScreenBoundary>
  );
}
