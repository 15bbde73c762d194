import type { Marker } from '@linnet/contract';
import { limits } from '@linnet/contract/limits';
import Pencil from 'lucide-react/icons/pencil';
import Trash2 from 'lucide-react/icons/trash-2';
import { useState } from 'react';
import { formatClock } from '../../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../../i18n/index.ts';
import { useSave } from '../../../page-kit/saving.ts';
import { useServices } from '../../../page-kit/services-context.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Prompt } from '../../../ui/dialog.tsx';
import { EmptyState } from '../../../ui/notice.tsx';
import { useToast } from '../../../ui/toast.tsx';
import type { TabProps } from '../tab.ts';
import { paragraphAtTime } from '../transcript/words.ts';
import './markers.css';

/** Lists the user's markers. Selecting one plays from its time. */
export function MarkersTab({ record, player, onMark }: TabProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { library } = useServices();
  const save = useSave();
  const show = useToast();
  const [markerToRename, setMarkerToRename] = useState<Marker | null>(null);
  const { id: recording, markers, content } = record;
  const saveMarkers = (marker: Marker, value: Marker | null) => () =>
    library.edit({ type: 'recording.marker', recording, marker: marker.id, value });
  const deleteMarker = (marker: Marker) => {
    const action = { label: t('common.undo'), run: () => save(saveMarkers(marker, marker)) };
    save(saveMarkers(marker, null), () => show({ message: t('markers.deleted'), action }));
  };
  if (markers.length === 0) {
    return (
      <EmptyState
        title={t('markers.none')}
        action={player.status === 'ready' && <Button onClick={onMark}>{t('player.mark')}</Button>}
      >
        {t('markers.noneHint')}
      </EmptyState>
    );
  }
  return (
    <>
      <ul className="markers" data-testid="markers">
        {markers.map((marker) => {
          const time = formatClock(marker.time, language);
          const spokenText = content[paragraphAtTime(content, marker.time)]?.content;
          const name = marker.label || t('markers.at', { time });
          return (
            <li key={marker.id} data-testid="marker">
              <button
                type="button"
                className="marker-go"
                onClick={() => player.playFrom(marker.time)}
              >
                <span className="marker-time tabular">{time}</span>
                <span className="marker-words">
                  <span className="marker-name" dir="auto">
                    {name}
                  </span>
                  {spokenText && (
                    <span className="marker-said" dir="auto">
                      {spokenText}
                    </span>
                  )}
                </span>
              </button>
              <IconButton
                label={t('markers.rename', { name })}
                onClick={() => setMarkerToRename(marker)}
              >
                <Pencil size={18} />
              </IconButton>
              <IconButton
                label={t('markers.delete', { name })}
                onClick={() => deleteMarker(marker)}
              >
                <Trash2 size={18} />
              </IconButton>
            </li>
          );
        })}
      </ul>
      {markerToRename && (
        <Prompt
          title={t('markers.nameTitle')}
          label={t('markers.name')}
          value={markerToRename.label}
          maxLength={limits.recording.nameMaxLength}
          submitLabel={t('common.save')}
          onSubmit={(label) => {
            setMarkerToRename(null);
            save(saveMarkers(markerToRename, { ...markerToRename, label }));
          }}
          onCancel={() => setMarkerToRename(null)}
        />
      )}
    </>
  );
}
