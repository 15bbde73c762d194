import { limits } from '@linnet/contract/limits';
import type { RecordDetail } from '@linnet/sync';
import LocateFixed from 'lucide-react/icons/locate-fixed';
import { useEffect, useState } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import { formatCoordinates, parseCoordinates } from '../../map/coordinates.ts';
import { MapView } from '../../map/map-view.tsx';
import { loadTowns, nearestTown, type Town } from '../../map/towns.ts';
import { useBack } from '../../page-kit/navigation.tsx';
import { Page } from '../../page-kit/page.tsx';
import { paths, recordingPath } from '../../page-kit/paths.ts';
import { useAttemptSave } from '../../page-kit/saving.ts';
import { useServices } from '../../page-kit/services-context.ts';
import type { Coordinates, PositionFailure } from '../../ports/position.ts';
import { loadChunk } from '../../runtime/chunks.ts';
import { Button, SubmitButton } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { LoadingPlaceholder, Notice } from '../../ui/notice.tsx';
import { NoRecording } from './no-recording.tsx';
import { useAddressedRecording } from './use-addressed-recording.ts';
import './place.css';

const exampleCoordinates: Coordinates = { latitude: 20, longitude: 10 };

/** A button that moves the map to the phone's position. */
function CurrentPosition({ onFound }: { onFound(coordinates: Coordinates): void }) {
  const { t } = useTranslation();
  const { position } = useServices();
  const [state, setState] = useState<'idle' | 'busy' | PositionFailure>('idle');
  const find = async () => {
    setState('busy');
    const outcome = await position.current();
    if (outcome.ok) onFound(outcome.data);
    setState(outcome.ok ? 'idle' : outcome.failure);
  };
  return (
    <>
      <Button
        icon={<LocateFixed size={20} aria-hidden="true" />}
        busy={state === 'busy'}
        data-testid="here"
        onClick={() => void find()}
      >
        {t('place.here')}
      </Button>
      {state !== 'idle' && state !== 'busy' && (
        <Notice
          message={t(`place.${state}`)}
          detail={t(state === 'refused' ? 'place.refusedHint' : 'place.moveInstead')}
        />
      )}
    </>
  );
}

/** The form for a recording's location: map, current position, coordinates and name. */
function LocationForm({ record }: { record: RecordDetail }) {
  const { t } = useTranslation();
  const { library } = useServices();
  const goBack = useBack(recordingPath(record.id));
  const [coordinates, setCoordinates] = useState<Coordinates | null>(record.place);
  const [input, setInput] = useState<string | null>(null);
  const [name, setName] = useState(record.place?.name ?? '');
  const trySave = useAttemptSave();
  const [towns, setTowns] = useState<readonly Town[] | 'failed'>([]);
  useEffect(() => {
    let isDisposed = false;
    loadChunk(loadTowns).then(
      (parsedCoordinates) => isDisposed || setTowns(parsedCoordinates),
      (error: unknown) => {
        reportError(error);
        if (!isDisposed) setTowns('failed');
      },
    );
    return () => {
      isDisposed = true;
    };
  }, []);

  const isInvalid = input !== null && parseCoordinates(input) === null;
  const nearestName =
    coordinates && towns !== 'failed' ? (nearestTown(towns, coordinates)?.name ?? '') : '';
  const hint =
    towns === 'failed'
      ? t('place.townsFailed')
      : nearestName && t('place.nameNear', { name: nearestName });
  const selectPlace = (place: Coordinates) => {
    setInput(null);
    setCoordinates(place);
  };
  const save = async () => {
    if (!coordinates || isInvalid) return;
    const place = { ...coordinates, name: name.trim() || nearestName };
    if (await trySave(library.edit({ type: 'recording.place', recording: record.id, place })))
      goBack();
  };
  return (
    <form
      className="place"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <p className="place-hint">{t('place.hint')}</p>
      <div className="place-map">
        <MapView coordinates={coordinates} onMoved={selectPlace} />
      </div>
      <div className="place-fields">
        <CurrentPosition onFound={selectPlace} />
        <Field
          label={t('place.coordinates')}
          dir="ltr"
          inputMode="text"
          autoComplete="off"
          spellCheck={false}
          placeholder={formatCoordinates(exampleCoordinates)}
          value={input ?? (coordinates ? formatCoordinates(coordinates) : '')}
          error={isInvalid ? t('place.coordinatesWrong') : null}
          data-testid="coordinates"
          onChange={({ currentTarget: { value } }) => {
            setInput(value);
            const parsed = parseCoordinates(value);
            if (parsed) setCoordinates(parsed);
          }}
        />
        <Field
          label={t('place.name')}
          dir="auto"
          maxLength={limits.recording.nameMaxLength}
          value={name}
          data-testid="place-name"
          {...(hint !== '' && { hint })}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <SubmitButton disabled={!coordinates || isInvalid} data-testid="place-save">
          {t('place.save')}
        </SubmitButton>
      </div>
    </form>
  );
}

/** The page for choosing a recording's location. */
export default function ChooseLocationPage() {
  const { t } = useTranslation();
  const live = useAddressedRecording();
  const record = live.status === 'ready' ? live.value : null;
  return (
    <Page title={t('place.choose')} parent={record ? recordingPath(record.id) : paths.files}>
      {live.status === 'loading' ? (
        <LoadingPlaceholder />
      ) : record ? (
        <LocationForm key={record.id} record={record} />
      ) : (
        <NoRecording />
      )}
    </Page>
  );
}
