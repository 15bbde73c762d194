import { useMemo } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import { PageLink } from '../../page-kit/navigation.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useHome, useServices, useStore } from '../../page-kit/services-context.ts';
import { RecordingView } from '../file-detail/recording-view.tsx';
import { tabs } from '../file-detail/tabs.ts';
import '../file-detail/file-detail.css';
import './demo.css';

/** Tabs that have content in the demo. The player stands in for the audio tab. */
const demoTabs = tabs.filter(({ name }) => name !== 'audio' && name !== 'knowledge');

/** Shows the demo recording, which needs neither an account nor a recorder. */
export default function DemoPage() {
  const { t } = useTranslation();
  const { library, account } = useServices();
  const home = useHome();
  const { status } = useStore(account.state);
  const live = useStore(useMemo(() => library.record('demo'), [library]));
  if (live.status !== 'ready' || !live.value) return null;
  return (
    <div className="demo">
      <RecordingView
        record={live.value}
        getPath={(place) => `${paths.demo}?${new URLSearchParams({ ...place })}`}
        parent={home}
        visibleTabs={demoTabs}
        readOnly
        actions={
          status === 'signed-in' ? null : (
            <PageLink
              to={paths.register}
              className="button demo-join"
              data-look="primary"
              data-testid="join"
            >
              {t('demo.join')}
            </PageLink>
          )
        }
        note={
          <p className="demo-note" data-testid="demo-note">
            {t('demo.note')}
          </p>
        }
      />
    </div>
  );
}
