import FolderPlus from 'lucide-react/icons/folder-plus';
import { useState } from 'react';
import { formatCount, formatEntryDate } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { Section } from '../../page-kit/page.tsx';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import type { DeviceVault } from '../../ports/device-vault.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useToast } from '../../ui/toast.tsx';
import { describeVaultFailure } from './failure-text.ts';
import { TemplateSheet } from './template-sheet.tsx';

/** Shows the folder on this device, or a note in browsers that can't write to folders. */
export function DeviceFolder() {
  const { t } = useTranslation();
  const { deviceVault } = useServices();
  const vault = useStore(deviceVault.vault);
  if (!deviceVault.canPick) return <p className="vault-lead">{t('vault.onlyChromium')}</p>;
  if (vault) return <DeviceCard vault={vault} />;
  return vault === null ? <PickButton /> : null;
}

function PickButton() {
  const { t } = useTranslation();
  const { deviceVault } = useServices();
  const show = useToast();
  const [isBusy, setBusy] = useState(false);
  const pick = async () => {
    setBusy(true);
    try {
      const outcome = await deviceVault.pick();
      if (outcome === 'picked') show({ message: t('vault.connected') });
      else if (outcome === 'forbidden') show({ message: t('folders.forbidden'), kind: 'error' });
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="vault-actions">
      <Button
        wide
        icon={<FolderPlus size={18} aria-hidden="true" />}
        busy={isBusy}
        data-testid="pick-vault"
        onClick={() => void pick().catch(reportError)}
      >
        {t('vault.pick')}
      </Button>
      <p className="vault-lead">{t('vault.deviceHint')}</p>
    </div>
  );
}

function DeviceCard({ vault }: { vault: DeviceVault }) {
  const { t } = useTranslation();
  const { deviceVault } = useServices();
  const show = useToast();
  const [overlay, setOverlay] = useState<'template' | 'disconnect' | null>(null);
  const [isBusy, setBusy] = useState(false);
  const { name, template, state } = vault;
  const resume = () => void deviceVault.resume().catch(reportError);

  const disconnect = async () => {
    setBusy(true);
    try {
      await deviceVault.disconnect();
      show({ message: t('vault.disconnected') });
    } finally {
      setBusy(false);
      setOverlay(null);
    }
  };

  return (
    <>
      <Section>
        <div className="line" data-testid="vault-device" data-state={state.status}>
          <span className="line-words">
            <span>{t('vault.device')}</span>
            <bdi className="vault-place">{name}</bdi>
            <DeviceState vault={vault} />
          </span>
        </div>
      </Section>
      {state.status === 'permission' && (
        <Notice
          message={t('vault.permission')}
          detail={t('folders.permission_required.means')}
          action={
            <Button data-testid="allow-vault" onClick={resume}>
              {t('vault.allow')}
            </Button>
          }
        />
      )}
      {state.status === 'failed' && (
        <Notice
          message={state.code === 'busy' ? t('vault.inUse') : describeVaultFailure(t, state.code)}
          action={<Button onClick={resume}>{t('common.retry')}</Button>}
        />
      )}
      <div className="vault-actions">
        {state.status === 'current' && vault.refused > 0 && (
          <Button wide onClick={resume}>
            {t('common.retry')}
          </Button>
        )}
        <Button wide data-testid="template-device" onClick={() => setOverlay('template')}>
          {t('vault.template')}
        </Button>
        <Button wide data-testid="disconnect-device" onClick={() => setOverlay('disconnect')}>
          {t('vault.disconnect')}
        </Button>
        <p className="vault-lead">{t('vault.deviceHint')}</p>
      </div>
      {overlay === 'template' && (
        <TemplateSheet
          template={template}
          save={async (text) => {
            await deviceVault.setTemplate(text);
            return null;
          }}
          onSaved={() => {
            setOverlay(null);
            show({ message: t('vault.templateSaved') });
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
          onConfirm={() => void disconnect().catch(reportError)}
        >
          {t('vault.deviceDisconnectText')}
        </Confirm>
      )}
    </>
  );
}

/** Shows whether the folder is up to date, and how many files it has. */
function DeviceState({ vault: { state, writtenAt, files, refused } }: { vault: DeviceVault }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const number = (value: number) => formatCount(value, language);
  return (
    <>
      {state.status === 'updating' && <span>{t('vault.updating')}</span>}
      {writtenAt !== null && (
        <span>{t('vault.updated', { date: formatEntryDate(writtenAt, language) })}</span>
      )}
      <span>{t('vault.files', { number: number(files) })}</span>
      {refused > 0 && <span>{t('vault.refused', { number: number(refused) })}</span>}
    </>
  );
}
