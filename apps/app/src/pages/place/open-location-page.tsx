import type { RecordDetail } from '@linnet/sync';
import Copy from 'lucide-react/icons/copy';
import MapIcon from 'lucide-react/icons/map';
import Pencil from 'lucide-react/icons/pencil';
import Trash2 from 'lucide-react/icons/trash-2';
import { useTranslation } from '../../i18n/index.ts';
import { formatCoordinates, geoUri } from '../../map/coordinates.ts';
import { MapView } from '../../map/map-view.tsx';
import { PageLink } from '../../page-kit/navigation.tsx';
import { Page } from '../../page-kit/page.tsx';
import { paths, placePath, recordingPath } from '../../page-kit/paths.ts';
import { useAttemptSave } from '../../page-kit/saving.ts';
import { useServices } from '../../page-kit/services-context.ts';
import { Button } from '../../ui/button.tsx';
import { useCopy } from '../../ui/copy.ts';
import { EmptyState, LoadingPlaceholder } from '../../ui/notice.tsx';
import { useToast } from '../../ui/toast.tsx';
import { NoRecording } from './no-recording.tsx';
import { useAddressedRecording } from './use-addressed-recording.ts';
import './place.css';

type LocatedRecording = RecordDetail & { readonly place: NonNullable<RecordDetail['place']> };

/** Shows a location on the map, with its actions. */
function LocationView({ record }: { record: LocatedRecording }) {
  const { t } = useTranslation();
  const { library } = useServices();
  const trySave = useAttemptSave();
  const copy = useCopy();
  const show = useToast();
  const { place } = record;
  const setPlace = (next: RecordDetail['place']) =>
    trySave(library.edit({ type: 'recording.place', recording: record.id, place: next }));
  const remove = async () => {
    if (!(await setPlace(null))) return;
    show({
      message: t('place.removed'),
      action: { label: t('common.undo'), run: () => void setPlace(place) },
    });
  };
  return (
    <div className="place">
      <div className="place-words">
        {place.name !== '' && (
          <h2 className="display" dir="auto" data-testid="place-name">
            {place.name}
          </h2>
        )}
        <bdi className="tabular" dir="ltr" data-testid="coordinates">
          {formatCoordinates(place)}
        </bdi>
      </div>
      <div className="place-map">
        <MapView coordinates={place} />
      </div>
      <div className="place-fields">
        <a
          className="button"
          data-look="primary"
          data-wide
          data-testid="open-maps"
          href={geoUri(place, place.name)}
        >
          <MapIcon size={20} aria-hidden="true" />
          {t('place.openMaps')}
        </a>
        <Button
          icon={<Copy size={18} aria-hidden="true" />}
          onClick={() => void copy(formatCoordinates(place))}
        >
          {t('place.copy')}
        </Button>
        <PageLink
          to={placePath('chooseLocation', record.id)}
          className="button"
          data-look="plain"
          data-testid="change-place"
        >
          <Pencil size={18} aria-hidden="true" />
          {t('place.change')}
        </PageLink>
        <Button
          variant="quiet"
          icon={<Trash2 size={18} aria-hidden="true" />}
          data-testid="remove-place"
          onClick={() => void remove()}
        >
          {t('place.remove')}
        </Button>
      </div>
    </div>
  );
}

/** The page that shows a recording's location. */
export default function OpenLocationPage() {
  const { t } = useTranslation();
  const live = useAddressedRecording();
  const record = live.status === 'ready' ? live.value : null;
  return (
    <Page
      title={t('place.title')}
      parent={record ? recordingPath(record.id) : paths.files}
      step={record?.place ? 'shown' : 'none'}
    >
      {live.status === 'loading' ? (
        <LoadingPlaceholder />
      ) : !record ? (
        <NoRecording />
      ) : record.place ? (
        <LocationView record={{ ...record, place: record.place }} />
      ) : (
        <EmptyState
          title={t('place.none')}
          action={
            <PageLink
              to={placePath('chooseLocation', record.id)}
              replace
              className="button"
              data-look="primary"
            >
              {t('detail.addPlace')}
            </PageLink>
          }
        >
          {t('place.noneHint')}
        </EmptyState>
      )}
    </Page>
  );
}
