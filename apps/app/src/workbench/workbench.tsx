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
import { fixtureServices } from './fixture-services.ts';
import { Pieces } from './pieces.tsx';
import { scenes } from './scenes.ts';
import './workbench.css';

const systemScreens: Readonly<Record<string, () => React.ReactNode>> = {
  'take-over': () => <TakeOverScreen onTakeOver={() => {}} />,
  database: () => <DatabaseFailedScreen code="-1404" onReload={() => {}} />,
  unsupported: () => <UnsupportedScreen features={['OPFS', 'Web Locks']} />,
  'not-found': () => <NotFoundScreen onHome={() => {}} />,
};

/** Every page at its address; `scenes.ts` has them in their other states. */
const plainScenes = pageNames.map((name) => ({ name, query: `at=${paths[name]}` }));

/** All scenes, and the pieces the screens are made of. */
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
      <Pieces />
    </main>
  );
}

/**
 * Every piece and every screen in every state, with content of `fixtures.ts`. `?screen=` shows a system
 * screen, `?at=` a page at that address; the rest of the query says in which state.
 */
export default function Workbench() {
  const query = useMemo(() => new URLSearchParams(window.location.search), []);
  const services = useMemo(() => {
    const wish = (key: string) => query.get(key) ?? undefined;
    return fixtureServices({
      link: wish('link'),
      records: wish('records'),
      server: wish('server'),
      room: wish('room'),
      version: wish('version'),
      ways: wish('ways'),
      find: wish('find'),
      step: wish('step'),
      failure: wish('failure'),
      account: wish('account'),
      plan: wish('plan'),
      cleaner: wish('cleaner'),
      imports: wish('imports'),
      found: wish('found'),
      bin: wish('bin'),
      view: wish('view'),
      guide: wish('guide'),
      offer: wish('offer'),
      update: wish('update'),
      transfer: wish('transfer'),
      network: wish('network'),
      waiting: wish('waiting'),
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
  const at = query.get('at');
  return (
    <Frame services={services}>
      {at ? (
        <MemoryRouter initialEntries={[at]} useTransitions={false}>
          <AppRoutes load={load} loadDemo={load} />
        </MemoryRouter>
      ) : (
        <Contents />
      )}
    </Frame>
  );
}
