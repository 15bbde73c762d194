import type { CallData, Voice } from '@linnet/contract';
import { limits } from '@linnet/contract/limits';
import Download from 'lucide-react/icons/download';
import Pencil from 'lucide-react/icons/pencil';
import Trash2 from 'lucide-react/icons/trash-2';
import { useCallback, useEffect, useState } from 'react';
import { describeFailure, type FailureText } from '../../i18n/failures.ts';
import { formatCount, formatDay, isolate } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { useServices } from '../../page-kit/services-context.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Confirm, Prompt } from '../../ui/dialog.tsx';
import { EmptyState, LoadingPlaceholder, Notice } from '../../ui/notice.tsx';
import { useToast } from '../../ui/toast.tsx';

type Voices =
  | { readonly status: 'loading' }
  | { readonly status: 'failed'; readonly failureText: FailureText }
  | { readonly status: 'ready'; readonly data: CallData<'voice/list'> };

/** The open dialog about a voice. */
type OpenDialog =
  | { readonly kind: 'rename' | 'forget'; readonly name: string }
  | { readonly kind: 'merge'; readonly name: string; readonly to: string };

/** Lists the remembered voices, with buttons to rename, forget and export them. */
export function VoiceList() {
  const { t } = useTranslation();
  const language = useLanguage();
  const { voices: service, exports } = useServices();
  const show = useToast();
  const [voices, setVoices] = useState<Voices>({ status: 'loading' });
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const [busy, setBusy] = useState<'change' | 'export' | null>(null);

  const load = useCallback(async (): Promise<Voices> => {
    const result = await service.list();
    return result.ok
      ? { status: 'ready', data: result.data }
      : { status: 'failed', failureText: describeFailure(t, result.failure) };
  }, [service, t]);
  useEffect(() => {
    let isCurrent = true;
    void load().then((loaded) => isCurrent && setVoices(loaded));
    return () => {
      isCurrent = false;
    };
  }, [load]);
  const retry = async () => {
    setVoices({ status: 'loading' });
    setVoices(await load());
  };

  const rename = async (name: string, to: string, canUndo: boolean) => {
    setBusy('change');
    const result = await service.rename(name, to);
    if (!result.ok) {
      show({ message: describeFailure(t, result.failure).message, kind: 'error' });
    } else {
      const message = t('voices.renamed', { name: isolate(to) });
      const undo = { label: t('common.undo'), run: () => void rename(to, name, false) };
      show(canUndo ? { message, action: undo } : { message });
    }
    setVoices(await load());
    setBusy(null);
    setDialog(null);
  };
  const forget = async (name: string) => {
    setBusy('change');
    const result = await service.forget(name);
    if (result.ok) show({ message: t('voices.forgotten', { name: isolate(name) }) });
    else show({ message: describeFailure(t, result.failure).message, kind: 'error' });
    setVoices(await load());
    setBusy(null);
    setDialog(null);
  };
  const save = async () => {
    setBusy('export');
    const result = await service.export();
    setBusy(null);
    if (result.ok) await exports.save(result.data);
    else show({ message: describeFailure(t, result.failure).message, kind: 'error' });
  };

  if (voices.status === 'loading') return <LoadingPlaceholder lines={3} />;
  if (voices.status === 'failed') {
    return (
      <Notice
        message={t('voices.failed')}
        detail={voices.failureText.message}
        action={<Button onClick={() => void retry()}>{t('common.retry')}</Button>}
      />
    );
  }
  const { list, unnamed } = voices.data;
  const submitName = (name: string, to: string) => {
    if (to === name) setDialog(null);
    else if (list.some((voice) => voice.name === to)) setDialog({ kind: 'merge', name, to });
    else void rename(name, to, true);
  };
  return (
    <>
      {list.length === 0 ? (
        <EmptyState title={t('voices.empty')}>{t('voices.emptyHint')}</EmptyState>
      ) : (
        <section className="section">
          <h2 className="section-title">{t('voices.list')}</h2>
          <ul className="card">
            {list.map((voice) => (
              <li className="line voice-line" key={voice.name} data-testid="voice">
                <VoiceText voice={voice} />
                <IconButton
                  label={t('voices.rename', { name: isolate(voice.name) })}
                  data-testid="rename-voice"
                  onClick={() => setDialog({ kind: 'rename', name: voice.name })}
                >
                  <Pencil size={18} />
                </IconButton>
                <IconButton
                  label={t('voices.forget', { name: isolate(voice.name) })}
                  data-testid="forget-voice"
                  onClick={() => setDialog({ kind: 'forget', name: voice.name })}
                >
                  <Trash2 size={18} />
                </IconButton>
              </li>
            ))}
          </ul>
        </section>
      )}
      {(list.length > 0 || unnamed > 0) && (
        <div className="section">
          {unnamed > 0 && (
            <p className="voices-lead" data-testid="unnamed-voices">
              {t('voices.unnamed', { count: unnamed, formatted: formatCount(unnamed, language) })}
            </p>
          )}
          <Button
            icon={<Download size={18} />}
            busy={busy === 'export'}
            data-testid="export-voices"
            onClick={() => void save()}
          >
            {t('voices.export')}
          </Button>
        </div>
      )}
      {dialog?.kind === 'rename' && (
        <Prompt
          title={t('voices.renameTitle')}
          label={t('transcript.name')}
          value={dialog.name}
          maxLength={limits.recording.speakerMaxLength}
          submitLabel={t('common.save')}
          onSubmit={(to) => submitName(dialog.name, to)}
          onCancel={() => setDialog(null)}
        />
      )}
      {dialog?.kind === 'merge' && (
        <Confirm
          title={t('voices.mergeTitle', { name: isolate(dialog.to) })}
          confirmLabel={t('voices.mergeButton')}
          busy={busy === 'change'}
          onCancel={() => setDialog(null)}
          onConfirm={() => void rename(dialog.name, dialog.to, false)}
        >
          {t('voices.mergeText')}
        </Confirm>
      )}
      {dialog?.kind === 'forget' && (
        <Confirm
          title={t('voices.forgetTitle', { name: isolate(dialog.name) })}
          confirmLabel={t('voices.forgetButton')}
          danger
          busy={busy === 'change'}
          onCancel={() => setDialog(null)}
          onConfirm={() => void forget(dialog.name)}
        >
          {t('voices.forgetText')}
        </Confirm>
      )}
    </>
  );
}

/** A voice's name, and the number of recordings that contain it. */
function VoiceText({ voice: { name, recordings, last_at } }: { voice: Voice }) {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <span className="line-words">
      <bdi>{name}</bdi>
      <span>
        {t('voices.heard', {
          count: recordings,
          formatted: formatCount(recordings, language),
          date: formatDay(last_at, language),
        })}
      </span>
    </span>
  );
}
