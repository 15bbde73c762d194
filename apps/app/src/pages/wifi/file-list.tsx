import type { TFunction } from 'i18next';
import Check from 'lucide-react/icons/check';
import CircleSlash from 'lucide-react/icons/circle-slash';
import Clock from 'lucide-react/icons/clock';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { formatPercentage, formatSize } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { Section } from '../../page-kit/page.tsx';
import type { TransferFile } from '../../ports/transfer.ts';
import { ProgressRing } from '../../ui/ring.tsx';
import { describeProblem } from '../files/state-descriptions.ts';
import { useSessionName } from './session-name.ts';

/** Describes a file's state. `percent` is already formatted for display. */
function describeFileState(t: TFunction, state: TransferFile['state'], percent: string): string {
  switch (state.status) {
    case 'transferring':
      return t('wifi.file.transferring', { percent });
    case 'received':
      return t('wifi.file.received');
    case 'failed':
      return describeProblem(t, {
        kind: 'trouble',
        step: 'fetch',
        code: state.code,
        failure: null,
      }).message;
    default:
      return t(`wifi.file.${state.status}`);
  }
}

function StateIcon({
  status,
}: {
  status: Exclude<TransferFile['state']['status'], 'transferring'>;
}) {
  switch (status) {
    case 'received':
      return <Check className="wifi-received" size={20} aria-hidden="true" />;
    case 'failed':
      return <TriangleAlert className="wifi-failed" size={20} aria-hidden="true" />;
    case 'deleted':
      return <CircleSlash size={20} aria-hidden="true" />;
    default:
      return <Clock size={20} aria-hidden="true" />;
  }
}

/** Lists the recordings in a transfer and their status. */
export function FileList({ files }: { files: readonly TransferFile[] }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const sessionName = useSessionName();
  return (
    <Section title={t('wifi.files')}>
      <ul>
        {files.map((file) => {
          const { state, receivedBytes, bytes } = file;
          const percent = bytes === 0 ? 0 : Math.floor((100 * receivedBytes) / bytes);
          const text = describeFileState(t, state, formatPercentage(percent, language));
          return (
            <li
              className="line"
              key={file.sessionId}
              data-testid="transfer-file"
              data-session-id={file.sessionId}
              data-state={state.status}
            >
              <span className="wifi-mark">
                {state.status === 'transferring' ? (
                  <ProgressRing percent={percent} label={text} />
                ) : (
                  <StateIcon status={state.status} />
                )}
              </span>
              <span className="line-words">
                <span dir="auto">{sessionName(file)}</span>
                <span>{text}</span>
              </span>
              <span className="line-end tabular">
                <bdi>{formatSize(bytes, language)}</bdi>
              </span>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
