import { Suspense, use } from 'react';
import { Navigate, Outlet, Route, Routes, useLocation, useNavigate } from 'react-router';
import { paths } from '../page-kit/paths.ts';
import {
  ServicesProvider,
  SignedOutProvider,
  useSignedOutServices,
  useStore,
} from '../page-kit/services-context.ts';
import type { LoadServices } from '../ports/services.ts';
import { Library, pageElement, Shell } from './lazy-pages.tsx';
import {
  type PageAccess,
  type PageEntry,
  type PageFrame,
  pageNames,
  pageTable,
} from './page-table.ts';
import { NotFoundScreen, ScreenBoundary } from './system-screens.tsx';

/** Query parameter with the path to open after signing in. */
const nextParameter = 'next';

/**
 * Returns the path to open after signing in. Accepts only paths of the app; otherwise, a link to the sign-in page could
 * redirect to a different site.
 */
function nextPathFrom(search: string): string {
  const next = new URLSearchParams(search).get(nextParameter);
  return next?.startsWith('/pages/') ? next : paths.files;
}

/** Provides the services for signed-in pages. */
function SignedIn({ load }: { load: LoadServices }) {
  return (
    <ServicesProvider value={use(load()).services}>
      <Outlet />
    </ServicesProvider>
  );
}

function RequireAccount({ load }: { load: LoadServices }) {
  const account = useStore(useSignedOutServices().account.state);
  const { pathname, search } = useLocation();
  if (account.status === 'loading') return null;
  if (account.status === 'signed-in') return <SignedIn load={load} />;
  // Users who signed out on purpose shouldn't return to their last page when they next sign in.
  const next =
    account.reason === 'requested'
      ? ''
      : `?${nextParameter}=${encodeURIComponent(pathname + search)}`;
  return <Navigate to={`${paths.entry}${next}`} replace />;
}

/** Shows public pages, inside the shell if the user is signed in. */
function PublicPages({ load }: { load: LoadServices }) {
  const account = useStore(useSignedOutServices().account.state);
  if (account.status === 'loading') return null;
  if (account.status === 'signed-out') return <Outlet />;
  return <SignedInShell load={load} />;
}

function SignedInShell({ load }: { load: LoadServices }) {
  return (
    <ServicesProvider value={use(load()).services}>
      <Shell />
    </ServicesProvider>
  );
}

function RequireSignedOut() {
  const account = useStore(useSignedOutServices().account.state);
  const { search } = useLocation();
  if (account.status === 'loading') return null;
  return account.status === 'signed-in' ? (
    <Navigate to={nextPathFrom(search)} replace />
  ) : (
    <Outlet />
  );
}

/** Shows a screen without the shell. */
function UnframedLayout() {
  return (
    <div className="alone">
      <Suspense fallback={null}>
        <Outlet />
      </Suspense>
    </div>
  );
}

/** Provides the services of the bundled demo recording. */
function Demo({ load }: { load: LoadServices }) {
  const { services } = use(load());
  return (
    <SignedOutProvider value={services}>
      <ServicesProvider value={services}>
        <Outlet />
      </ServicesProvider>
    </SignedOutProvider>
  );
}

function NotFound() {
  const navigate = useNavigate();
  return <NotFoundScreen onHome={() => navigate(paths.entry)} />;
}

/**
 * Creates the routes that share an access level and a frame. The Files route has no element, because the library frame
 * renders the Files page.
 */
function createRoutes(access: PageAccess, frame: PageFrame) {
  return pageNames
    .map((name) => ({ path: paths[name], entry: pageTable[name] as PageEntry }))
    .filter(({ entry }) => entry.access === access && entry.frame === frame)
    .map(({ path, entry }) => (
      <Route key={path} path={path} element={path === paths.files ? null : pageElement(entry)} />
    ));
}

/** Routes every path in the page table, behind its access check and inside its frame. */
export function AppRoutes({ load, loadDemo }: { load: LoadServices; loadDemo: LoadServices }) {
  const { pathname } = useLocation();
  return (
    <ScreenBoundary location={pathname}>
      <Suspense fallback={null}>
        <Routes>
          <Route element={<RequireSignedOut />}>{createRoutes('signed-out', 'none')}</Route>
          <Route element={<RequireAccount load={load} />}>
            <Route element={<Shell />}>
              <Route element={<Library />}>{createRoutes('signed-in', 'library')}</Route>
              {createRoutes('signed-in', 'shell')}
            </Route>
          </Route>
          <Route element={<PublicPages load={load} />}>
            {createRoutes('everyone', 'shell-if-signed-in')}
          </Route>
          <Route element={<UnframedLayout />}>
            {createRoutes('everyone', 'none')}
            <Route element={<Demo load={loadDemo} />}>{createRoutes('demo', 'none')}</Route>
          </Route>
          <Route path="*" element={<NotFound />} />
        </Routes>
      </Suspense>
    </ScreenBoundary>
  );
}
