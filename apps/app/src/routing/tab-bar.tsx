import ChevronUp from 'lucide-react/icons/chevron-up';
import Folder from 'lucide-react/icons/folder';
import Mic from 'lucide-react/icons/mic';
import MicOff from 'lucide-react/icons/mic-off';
import UserRound from 'lucide-react/icons/user-round';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { useTranslation } from '../i18n/index.ts';
import { useLongPress } from '../page-kit/long-press.ts';
import { vibrate } from '../page-kit/media.ts';
import { PageLink } from '../page-kit/navigation.tsx';
import { paths } from '../page-kit/paths.ts';
import { useRecording } from '../page-kit/recording.tsx';
import { useServices, useStore } from '../page-kit/services-context.ts';

function Tab({
  to,
  current,
  icon,
  testId,
  children,
}: {
  to: string;
  current: boolean;
  icon: ReactNode;
  testId: string;
  children: string;
}) {
  return (
    <PageLink
      to={to}
      transition="switch"
      className="tab"
      aria-current={current ? 'page' : undefined}
      data-testid={testId}
    >
      {icon}
      {children}
    </PageLink>
  );
}

/** Shows the next recording's options below the record button. Pressing it opens or closes the options panel. */
function OptionsButton() {
  const { t } = useTranslation();
  const { mode, scene, isPanelOpen, setPanelOpen } = useRecording();
  return (
    <button
      type="button"
      className="record-options"
      data-testid="record-options"
      aria-expanded={isPanelOpen}
      onClick={() => setPanelOpen(!isPanelOpen)}
    >
      <span className="visually-hidden">{t('record.options')}</span>
      <span>
        {t(`record.scenes.${scene}`)}
        {mode !== 'normal' && ` · ${t(`record.modes.${mode}`)}`}
      </span>
      <ChevronUp size={14} aria-hidden="true" />
    </button>
  );
}

/** The button between the tabs, labeled with the action it performs. A long press opens the options. */
function RecordButton() {
  const { t } = useTranslation();
  const link = useStore(useServices().recorder.link);
  const { state, isBusy, onPress, setPanelOpen } = useRecording();
  const press = useLongPress(() => {
    vibrate('hold');
    setPanelOpen(true);
  });
  const label =
    state === 'recording'
      ? t('record.stop')
      : state === 'disconnected'
        ? t(link.status === 'connecting' ? 'record.connecting' : 'record.connect')
        : t('record.start');
  const hasOptions = state === 'idle';
  return (
    <div className="record">
      <button
        type="button"
        className="record-button"
        data-testid="record-button"
        data-state={state}
        data-busy={isBusy || undefined}
        aria-pressed={state === 'recording'}
        aria-label={hasOptions ? label : undefined}
        {...(hasOptions ? press.handlers : null)}
        onClick={onPress}
        onContextMenu={(event) => {
          event.preventDefault();
          setPanelOpen(true);
        }}
      >
        <span className="record-disc" aria-hidden="true">
          <span className="record-breath" />
          <span className="record-shape">
            {state === 'disconnected' ? <MicOff size={24} /> : <Mic size={24} />}
          </span>
        </span>
        {!hasOptions && <span className="record-words">{label}</span>}
      </button>
      {hasOptions && <OptionsButton />}
    </div>
  );
}

/** Shows the tabs, with the record button between them. */
export function TabBar() {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  return (
    <nav className="tab-bar" aria-label={t('tabs.label')}>
      <Tab
        to={paths.files}
        current={pathname === paths.files || pathname === paths.fileDetail}
        icon={<Folder size={24} aria-hidden="true" />}
        testId="tab-files"
      >
        {t('tabs.files')}
      </Tab>
      <RecordButton />
      <Tab
        to={paths.me}
        current={pathname === paths.me}
        icon={<UserRound size={24} aria-hidden="true" />}
        testId="tab-me"
      >
        {t('tabs.me')}
      </Tab>
    </nav>
  );
}
