import { Suspense, use } from 'react';
import { Navigate, Outlet, Route, Routes, useLocation, useNavigate } from 'react-router';
import type { LoadServices } from '../services.ts';
import { pages, paths } from './pages.ts';
import {
  ServicesProvider,
  useStore,
  useVisitorServices,
  VisitorProvider,
} from './services-context.ts';
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
      <pages.shell />
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

/** Every address. `/` and its alias, the register page, are two faces of one entry screen. */
export function AppRoutes({ load, loadDemo }: { load: LoadServices; loadDemo: LoadServices }) {
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
              <Route path={paths.personalInformation} element={<pages.personalInformation />} />
              <Route path={paths.changePassword} element={<pages.changePassword />} />
              <Route path={paths.deviceConnect} element={<pages.deviceConnect />} />
              <Route path={paths.deviceFiles} element={<pages.deviceFiles />} />
              <Route path={paths.myDevice} element={<pages.myDevice />} />
              <Route path={paths.upgrade} element={<pages.upgrade />} />
              <Route path={paths.bluetoothConnection} element={<pages.bluetoothConnection />} />
              <Route path={paths.wifiTransmission} element={<pages.wifiTransmission />} />
              <Route path={paths.wifiJoin} element={<pages.wifiJoin />} />
              <Route path={paths.wifiJoinByHand} element={<pages.wifiJoinByHand />} />
              <Route path={paths.newTransmission} element={<pages.newTransmission />} />
              <Route
                path={paths.wifiTransmissionDetail}
                element={<pages.wifiTransmissionDetail />}
              />
              <Route path={paths.spaceManagement} element={<pages.spaceManagement />} />
              <Route path={paths.storageLocation} element={<pages.storageLocation />} />
              <Route path={paths.cloudBackup} element={<pages.cloudBackup />} />
              <Route path={paths.dataSynchronization} element={<pages.dataSynchronization />} />
              <Route path={paths.vip} element={<pages.vip />} />
              <Route path={paths.payResult} element={<pages.payResult />} />
              <Route path={paths.purchaseRecord} element={<pages.purchaseRecord />} />
              <Route path={paths.transliterationRecord} element={<pages.transliterationRecord />} />
              <Route path={paths.chooseLocation} element={<pages.chooseLocation />} />
              <Route path={paths.openLocation} element={<pages.openLocation />} />
            </Route>
          </Route>
          <Route element={<Anybody load={load} />}>
            <Route path={paths.language} element={<pages.language />} />
            <Route path={paths.serverAddress} element={<pages.serverAddress />} />
          </Route>
          {/* Open to everybody, signed in or not. */}
          <Route element={<Alone />}>
            <Route path={paths.aboutUs} element={<pages.aboutUs />} />
            <Route path={paths.privacyPolicy} element={<pages.agreement text="privacy" />} />
            <Route path={paths.userAgreement} element={<pages.agreement text="terms" />} />
            <Route path={paths.feedback} element={<pages.feedback />} />
            <Route path={paths.customerService} element={<pages.customerService />} />
            <Route path={paths.instructions} element={<pages.instructions />} />
            <Route path={paths.questionBind} element={<pages.question question="bind" />} />
            <Route path={paths.questionRecord} element={<pages.question question="record" />} />
            <Route path={paths.questionSync} element={<pages.question question="sync" />} />
            <Route path={paths.questionRead} element={<pages.question question="read" />} />
            <Route element={<Demo load={loadDemo} />}>
              <Route path={paths.demo} element={<pages.demo />} />
            </Route>
          </Route>
          <Route path="*" element={<NotFound />} />
        </Routes>
      </Suspense>
    </ScreenBoundary>
  );
}
