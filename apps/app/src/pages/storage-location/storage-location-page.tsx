import { storageSetting } from '@linnet/contract/statuses';
import type { StorageSetting } from '@linnet/sync';
import Cloud from 'lucide-react/icons/cloud';
import HardDrive from 'lucide-react/icons/hard-drive';
import Smartphone from 'lucide-react/icons/smartphone';
import { useState } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import { Page } from '../../page-kit/page.tsx';
import { paths } from '../../page-kit/paths.ts';
import {
  useChangeSetting,
  useEarliestDeletions,
  useStorageSetting,
} from '../../page-kit/saving.ts';
import { useMember, useServices, useStore } from '../../page-kit/services-context.ts';
import { Confirm } from '../../ui/dialog.tsx';
import { LoadingPlaceholder } from '../../ui/notice.tsx';
import { SwitchLine } from '../../ui/switch-line.tsx';
import { useToast } from '../../ui/toast.tsx';
import { DownloadsLine } from './downloads-line.tsx';
import { PendingDeletions } from './pending-deletions.tsx';
import './storage-location.css';

type Place = keyof typeof storageSetting.keys;

const places = [
  ['recorder', HardDrive],
  ['phone', Smartphone],
  ['cloud', Cloud],
] as const satisfies readonly (readonly [Place, typeof Cloud])[];

function isEnabled({ devcieSave, appSave, cloudSave }: StorageSetting, place: Place): boolean {
  return { recorder: devcieSave, phone: appSave, cloud: cloudSave }[place] === 1;
}

/** Shows the storage setting: recorder, phones and cloud. At least one must stay on. */
export default function StorageLocationPage() {
  const { t } = useTranslation();
  const { server } = useServices();
  const changeSetting = useChangeSetting();
  const setting = useStorageSetting();
  const deletes = useEarliestDeletions();
  const show = useToast();
  const isMember = useMember();
  const isOffline = useStore(server).status === 'unreachable';
  const [placeToDisable, setPlaceToDisable] = useState<Place | null>(null);
  const [isLast, setIsLast] = useState(false);

  const setEnabled = (place: Place, enabled: boolean) =>
    changeSetting(storageSetting.group, storageSetting.keys[place], enabled ? '1' : '0');
  const setPlaceEnabled = (place: Place, enabled: boolean) => {
    if (!setting) return;
    const otherPlaces = places.filter(([other]) => other !== place && isEnabled(setting, other));
    setIsLast(!enabled && otherPlaces.length === 0);
    if (enabled) setEnabled(place, true);
    else if (otherPlaces.length > 0) setPlaceToDisable(place);
  };
  return (
    <Page title={t('storage.location.title')} parent={paths.me}>
      <p className="page-lead">{t('storage.location.lead')}</p>
      {!setting ? (
        <LoadingPlaceholder lines={3} />
      ) : (
        <div className="section">
          <div className="card">
            {places.map(([place, Icon]) => {
              const enabled = isEnabled(setting, place);
              return (
                <SwitchLine
                  key={place}
                  icon={<Icon size={20} aria-hidden="true" />}
                  label={t(`storage.location.places.${place}`)}
                  hint={t(`storage.location.${enabled ? 'on' : 'off'}.${place}`)}
                  checked={enabled}
                  testId={`keep-${place}`}
                  onChange={(next) => setPlaceEnabled(place, next)}
                />
              );
            })}
            {deletes && (
              <PendingDeletions
                earliestDeletions={deletes}
                onUndo={(place) => setEnabled(place, true)}
              />
            )}
            <DownloadsLine />
          </div>
          <p className="storage-last" role="alert" data-testid="keep-last">
            {isLast && t('storage.location.atLeastOne')}
          </p>
          <p className="page-note">{t('storage.location.never')}</p>
          {!isMember && <p className="page-note">{t('storage.location.notMember')}</p>}
          {isOffline && (
            <p className="page-note" role="status" data-testid="keep-offline">
              {t('storage.location.offline')}
            </p>
          )}
        </div>
      )}
      {placeToDisable && (
        <Confirm
          title={t(`storage.location.offTitle.${placeToDisable}`)}
          confirmLabel={t('storage.location.offGo')}
          danger
          onCancel={() => setPlaceToDisable(null)}
          onConfirm={() => {
            setEnabled(placeToDisable, false);
            setPlaceToDisable(null);
            show({
              message: t('storage.location.turnedOff'),
              action: { label: t('common.undo'), run: () => setEnabled(placeToDisable, true) },
            });
          }}
        >
          {t(`storage.location.off.${placeToDisable}`)}
        </Confirm>
      )}
    </Page>
  );
}
