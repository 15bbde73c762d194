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
import { useTrySave } from '../../page-kit/saving.ts';
import { useServices } from '../../page-kit/services-context.ts';
import type { Coordinates, PositionFailure } from '../../ports/position.ts';
import { loadChunk } from '../../runtime/chunks.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice, Waiting } from '../../ui/notice.tsx';
import { NoRecording } from './no-recording.tsx';
import { usePlaced } from './use-placed.ts';
import './place.css';

const nowhere: Coordinates = { latitude: 20, longitude: 10 };

/** Moves the map to the phone's position. */
function Here({ onFound }: { onFound(at: Coordinates): void }) {
  const { t } = useTranslation();
  const { position } = useServices();
  const [state, setState] = useState<'idle' | 'busy' | PositionFailure>('idle');
  const find = async () => {
    setState('busy');
    const outcome = await position.here();
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
          what={t(`place.${state}`)}
          means={t(state === 'refused' ? 'place.refusedHint' : 'place.moveInstead')}
        />
      )}
    </>
  );
}

/** Chooses a recording's location by map, position or coordinates, with a name. */
function Choosing({ record }: { record: RecordDetail }) {
  const { t } = useTranslation();
  const { library } = useServices();
  const back = useBack(recordingPath(record.id));
  const [at, setAt] = useState<Coordinates | null>(record.place);
  const [typed, setTyped] = useState<string | null>(null);
  const [name, setName] = useState(record.place?.name ?? '');
  const trySave = useTrySave();
  const [towns, setTowns] = useState<readonly Town[] | 'failed'>([]);
  useEffect(() => {
    let gone = false;
    loadChunk(loadTowns).then(
      (known) => gone || setTowns(known),
      (error: unknown) => {
        reportError(error);
        if (!gone) setTowns('failed');
      },
    );
    return () => {
      gone = true;
    };
  }, []);

  const wrong = typed !== null && parseCoordinates(typed) === null;
  const near = at && towns !== 'failed' ? (nearestTown(towns, at)?.name ?? '') : '';
  const hint =
    towns === 'failed' ? t('place.townsFailed') : near && t('place.nameNear', { name: near });
  const show = (place: Coordinates) => {
    setTyped(null);
    setAt(place);
  };
  const save = async () => {
    if (!at || wrong) return;
    const place = { ...at, name: name.trim() || near };
    if (await trySave(library.edit({ type: 'recording.place', recording: record.id, place })))
      back();
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
        <MapView at={at} onMoved={show} />
      </div>
      <div className="place-fields">
        <Here onFound={show} />
        <Field
          label={t('place.coordinates')}
          dir="ltr"
          inputMode="text"
          autoComplete="off"
          spellCheck={false}
          placeholder={formatCoordinates(nowhere)}
          value={typed ?? (at ? formatCoordinates(at) : '')}
          error={wrong ? t('place.coordinatesWrong') : null}
          data-testid="coordinates"
          onChange={({ currentTarget: { value } }) => {
            setTyped(value);
            const read = parseCoordinates(value);
            if (read) setAt(read);
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
        <Button type="submit" look="primary" wide disabled={!at || wrong} data-testid="place-save">
          {t('place.save')}
        </Button>
      </div>
    </form>
  );
}

/** The page for choosing a recording's location. */
export default function ChooseLocationPage() {
  const { t } = useTranslation();
  const live = usePlaced();
  const record = live.status === 'ready' ? live.value : null;
  return (
    <Page title={t('place.choose')} parent={record ? recordingPath(record.id) : paths.files}>
      {live.status === 'loading' ? (
        <Waiting />
      ) : record ? (
        <Choosing key={record.id} record={record} />
      ) : (
        <NoRecording />
      )}
    </Page>
  );
}
