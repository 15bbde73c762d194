import { useMemo } from 'react';
import { MemoryRouter } from 'react-router';
import { paths } from '../page-kit/paths.ts';
import { Frame } from '../routing/App.tsx';
import { pageNames } from '../routing/page-table.ts';
import { AppRoutes } from '../routing/routes.tsx';
import {
  DatabaseFailedScreen,
  NotFoundScreen,
  TakeOverScreen,
  UnsupportedScreen,
} from '../routing/system-screens.tsx';
import { createFixtureServices } from './fixture-services.ts';
import { Components } from './pieces.tsx';
import { scenes } from './scenes.ts';
import './workbench.css';

const systemScreens: Readonly<Record<string, () => React.ReactNode>> = {
  'take-over': () => <TakeOverScreen onTakeOver={() => {}} />,
  database: () => <DatabaseFailedScreen code="-1404" onReload={() => {}} />,
  unsupported: () => <UnsupportedScreen features={['OPFS', 'Web Locks']} />,
  'not-found': () => <NotFoundScreen onHome={() => {}} />,
};

/** Every page at its address. `scenes.ts` adds further states. */
const plainScenes = pageNames.map((name) => ({ name, query: `at=${paths[name]}` }));

/** Lists all scenes and components. */
function Contents() {
  return (
    <main className="workbench">
      <title>Workbench · Linnet</title>
      <h1 className="display">Workbench</h1>
      <nav aria-label="Scenes">
        <ul className="workbench-scenes">
          {[...scenes, ...plainScenes].map((scene) => (
            <li key={scene.name}>
              <a href={`?${scene.query}`}>{scene.name}</a>
            </li>
          ))}
        </ul>
      </nav>
      <Components />
    </main>
  );
}

/**
 * Shows every component and every screen in every state, using the content of `fixtures/`. `?screen=` selects a system
 * screen, and `?at=` the page at an address. The rest of the query selects the state.
 */
export default function Workbench() {
  const query = useMemo(() => new URLSearchParams(window.location.search), []);
  const services = useMemo(() => {
    const param = (key: string) => query.get(key) ?? undefined;
    return createFixtureServices({
      link: param('link'),
      records: param('records'),
      server: param('server'),
      storage: param('storage'),
      version: param('version'),
      transports: param('transports'),
      recorders: param('recorders'),
      step: param('step'),
      failure: param('failure'),
      account: param('account'),
      plan: param('plan'),
      denoising: param('denoising'),
      drafts: param('drafts'),
      microphone: param('microphone'),
      omi: param('omi'),
      pocket: param('pocket'),
      live: param('live'),
      other: param('other'),
      imports: param('imports'),
      folders: param('folders'),
      searchResults: param('searchResults'),
      bin: param('bin'),
      view: param('view'),
      filters: param('filters'),
      guide: param('guide'),
      firmware: param('firmware'),
      update: param('update'),
      transfer: param('transfer'),
      network: param('network'),
      pendingWork: param('pendingWork'),
      ask: param('ask'),
      vocabulary: param('vocabulary'),
      keys: param('keys'),
      links: param('links'),
      rules: param('rules'),
      calendar: param('calendar'),
      vault: param('vault'),
      deviceVault: param('deviceVault'),
      webhooks: param('webhooks'),
      notifications: param('notifications'),
      mails: param('mails'),
      voices: param('voices'),
    });
  }, [query]);
  const load = useMemo(() => {
    const ready = Promise.resolve({ services });
    return () => ready;
  }, [services]);
  const theme = query.get('theme');
  if (theme) document.documentElement.dataset.theme = theme;
  const screen = systemScreens[query.get('screen') ?? ''];
  if (screen) return screen();
  const path = query.get('at');
  return (
    <Frame services={services}>
      {path ? (
        <MemoryRouter initialEntries={[path]} useTransitions={false}>
          <AppRoutes load={load} loadDemo={load} />
        </MemoryRouter>
      ) : (
        <Contents />
      )}
    </Frame>
  );
}
