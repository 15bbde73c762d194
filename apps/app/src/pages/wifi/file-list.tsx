import Check from 'lucide-react/icons/check';
import CircleSlash from 'lucide-react/icons/circle-slash';
import Clock from 'lucide-react/icons/clock';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { percentage, size } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { Section } from '../../page-kit/page.tsx';
import type { TransferFile } from '../../ports/transfer.ts';
import { ProgressRing } from '../../ui/ring.tsx';
import { describeTrouble } from '../files/state-descriptions.ts';
import { useSessionName } from './session-name.ts';

/** The recordings of a transfer, with their states. */
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
          const words =
            state.status === 'moving'
              ? t('wifi.file.moving', { percent: percentage(percent, language) })
              : state.status === 'failed'
                ? describeTrouble(t, {
                    ...{ kind: 'trouble', step: 'fetch', code: state.code, failure: null },
                  }).what
                : t(`wifi.file.${state.status}`);
          return (
            <li
              className="line"
              key={file.sessionId}
              data-testid="transfer-file"
              data-session-id={file.sessionId}
              data-state={state.status}
            >
              <span className="wifi-mark">
                {state.status === 'moving' ? (
                  <ProgressRing percent={percent} label={words} />
                ) : state.status === 'came' ? (
                  <Check className="wifi-came" size={20} aria-hidden="true" />
                ) : state.status === 'failed' ? (
                  <TriangleAlert className="wifi-failed" size={20} aria-hidden="true" />
                ) : state.status === 'gone' ? (
                  <CircleSlash size={20} aria-hidden="true" />
                ) : (
                  <Clock size={20} aria-hidden="true" />
                )}
              </span>
              <span className="line-words">
                <span dir="auto">{sessionName(file)}</span>
                <span>{words}</span>
              </span>
              <span className="line-end tabular">
                <bdi>{size(bytes, language)}</bdi>
              </span>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
