import type { Vault } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import { useState } from 'react';
import { describeFailure } from '../../i18n/failures.ts';
import { formatCount, formatEntryDate } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { Section } from '../../page-kit/page.tsx';
import { useServices } from '../../page-kit/services-context.ts';
import type { Outcome } from '../../ports/store.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useToast } from '../../ui/toast.tsx';
import { describeVaultFailure } from './failure-text.ts';
import { TemplateSheet } from './template-sheet.tsx';

/** A folder with its state and actions. */
export function VaultCard({ vault, onChange }: { vault: Vault; onChange(): Promise<void> }) {
  const { t } = useTranslation();
  const { vaults } = useServices();
  const show = useToast();
  const [overlay, setOverlay] = useState<'template' | 'disconnect' | null>(null);
  const [isBusy, setBusy] = useState(false);
  const { kind, failure, stopped_at: stoppedAt } = vault;
  const isStopped = stoppedAt !== null;
  const canRetry = !isStopped && (failure !== null || vault.refused > 0);

  /** Makes a call, and shows `message` or the failure. */
  async function run(
    call: () => Promise<Outcome<unknown, CallFailure>>,
    message: string,
  ): Promise<void> {
    setBusy(true);
    const result = await call();
    if (result.ok) show({ message });
    else show({ message: describeFailure(t, result.failure).message, kind: 'error' });
    await onChange();
    setBusy(false);
    setOverlay(null);
  }
  async function test(): Promise<void> {
    setBusy(true);
    const result = await vaults.test(kind);
    setBusy(false);
    if (!result.ok) show({ message: describeFailure(t, result.failure).message, kind: 'error' });
    else if (result.data === null) show({ message: t('vault.tested') });
    else show({ message: describeVaultFailure(t, result.data), kind: 'error' });
  }

  return (
    <>
      <Section>
        <div className="line" data-testid={`vault-${kind}`}>
          <span className="line-words">
            <span>{t(`vault.${kind}`)}</span>
            <bdi className="vault-place" dir="ltr">
              {vault.place}
            </bdi>
            <VaultState vault={vault} />
          </span>
        </div>
      </Section>
      {!isStopped && failure !== null && <Notice message={describeVaultFailure(t, failure)} />}
      <div className="vault-actions">
        {canRetry && (
          <Button
            wide
            busy={isBusy}
            data-testid={`retry-${kind}`}
            onClick={() => void run(() => vaults.resume(kind), t('vault.updating'))}
          >
            {t('common.retry')}
          </Button>
        )}
        {!isStopped && (
          <Button wide busy={isBusy} data-testid={`test-${kind}`} onClick={() => void test()}>
            {t('vault.test')}
          </Button>
        )}
        <Button wide data-testid={`template-${kind}`} onClick={() => setOverlay('template')}>
          {t('vault.template')}
        </Button>
        {isStopped ? (
          <Button
            wide
            variant="primary"
            busy={isBusy}
            data-testid={`resume-${kind}`}
            onClick={() => void run(() => vaults.resume(kind), t('vault.resumed'))}
          >
            {t('webhooks.enable')}
          </Button>
        ) : (
          <Button
            wide
            busy={isBusy}
            data-testid={`stop-${kind}`}
            onClick={() => void run(() => vaults.stop(kind), t('vault.stoppedNow'))}
          >
            {t('calendar.revoke')}
          </Button>
        )}
        {kind === 'webdav' && (
          <Button wide data-testid="disconnect-vault" onClick={() => setOverlay('disconnect')}>
            {t('vault.disconnect')}
          </Button>
        )}
      </div>
      {overlay === 'template' && (
        <TemplateSheet
          template={vault.template}
          save={async (template) => {
            const result = await vaults.setTemplate(kind, template);
            return result.ok ? null : describeFailure(t, result.failure).message;
          }}
          onSaved={() => {
            setOverlay(null);
            show({ message: t('vault.templateSaved') });
            void onChange();
          }}
          onClose={() => setOverlay(null)}
        />
      )}
      {overlay === 'disconnect' && (
        <Confirm
          title={t('vault.disconnectTitle')}
          confirmLabel={t('vault.disconnect')}
          danger
          busy={isBusy}
          onCancel={() => setOverlay(null)}
          onConfirm={() => void run(vaults.disconnect, t('vault.disconnected'))}
        >
          {t('vault.disconnectText')}
        </Confirm>
      )}
    </>
  );
}

/** Shows whether the folder is up to date, and how many files it has. */
function VaultState({ vault }: { vault: Vault }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { stopped_reason: reason, is_current: isCurrent, written_at: writtenAt } = vault;
  const number = (value: number) => formatCount(value, language);
  const date = (iso: string) => formatEntryDate(iso, language);
  return (
    <>
      {reason !== null && <span>{t(`vault.stopped.${reason}`)}</span>}
      {reason === null && vault.failure === null && !isCurrent && (
        <span>{t('vault.updating')}</span>
      )}
      {writtenAt !== null && <span>{t('vault.updated', { date: date(writtenAt) })}</span>}
      {reason === null && vault.next_at !== null && (
        <span>{t('webhooks.next', { date: date(vault.next_at) })}</span>
      )}
      <span>{t('vault.files', { number: number(vault.files) })}</span>
      {vault.refused > 0 && <span>{t('vault.refused', { number: number(vault.refused) })}</span>}
    </>
  );
}
