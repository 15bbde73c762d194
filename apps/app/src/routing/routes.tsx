import { Suspense, use } from 'react';
import { Navigate, Outlet, Route, Routes, useLocation, useNavigate } from 'react-router';
import { paths } from '../page-kit/paths.ts';
import {
  ServicesProvider,
  useStore,
  useVisitorServices,
  VisitorProvider,
} from '../page-kit/services-context.ts';
import type { LoadServices } from '../ports/services.ts';
import { elementOf, Library, Shell } from './lazy-pages.tsx';
import {
  type PageAccess,
  type PageEntry,
  type PageFrame,
  pageNames,
  pageTable,
} from './page-table.ts';
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

/** What anybody may see; whoever is signed in has the bar beside it. */
function Anybody({ load }: { load: LoadServices }) {
  const account = useStore(useVisitorServices().account.state);
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

function RequireVisitor() {
  const account = useStore(useVisitorServices().account.state);
  const { search } = useLocation();
  if (account.status === 'loading') return null;
  return account.status === 'signed-in' ? <Navigate to={nextFrom(search)} replace /> : <Outlet />;
}

/** A screen without the shell: whoever is not signed in has none. */
function Alone() {
  return (
    <div className="alone">
      <Suspense fallback={null}>
        <Outlet />
      </Suspense>
    </div>
  );
}

/** The recording that the app brings along, with the services that it is all there is for. */
function Demo({ load }: { load: LoadServices }) {
  const { services } = use(load());
  return (
    <VisitorProvider value={services}>
      <ServicesProvider value={services}>
        <Outlet />
      </ServicesProvider>
    </VisitorProvider>
  );
}

function NotFound() {
  const navigate = useNavigate();
  return <NotFoundScreen onHome={() => navigate(paths.entry)} />;
}

/** The routes of one kind of the table. The library draws Files itself. */
function routesOf(access: PageAccess, frame: PageFrame) {
  return pageNames
    .map((name) => ({ path: paths[name], entry: pageTable[name] as PageEntry }))
    .filter(({ entry }) => entry.access === access && entry.frame === frame)
    .map(({ path, entry }) => (
      <Route key={path} path={path} element={path === paths.files ? null : elementOf(entry)} />
    ));
}

/** Every address of the table, behind the check of who may open it and within its frame. */
export function AppRoutes({ load, loadDemo }: { load: LoadServices; loadDemo: LoadServices }) {
  const { pathname } = useLocation();
  return (
    <ScreenBoundary at={pathname}>
      <Suspense fallback={null}>
        <Routes>
          <Route element={<RequireVisitor />}>{routesOf('signed-out', 'none')}</Route>
          <Route element={<RequireAccount load={load} />}>
            <Route element={<Shell />}>
              <Route element={<Library />}>{routesOf('signed-in', 'library')}</Route>
              {routesOf('signed-in', 'shell')}
            </Route>
          </Route>
          <Route element={<Anybody load={load} />}>
            {routesOf('everyone', 'shell-if-signed-in')}
          </Route>
          <Route element={<Alone />}>
            {routesOf('everyone', 'none')}
            <Route element={<Demo load={loadDemo} />}>{routesOf('demo', 'none')}</Route>
          </Route>
          <Route path="*" element={<NotFound />} />
        </Routes>
      </Suspense>
    </ScreenBoundary>
  );
}
