import MapPin from 'lucide-react/icons/map-pin';
import MapPinPlus from 'lucide-react/icons/map-pin-plus';
import { useTranslation } from '../../i18n/index.ts';
import { PageLink } from '../../page-kit/navigation.tsx';
import { placePath } from '../../page-kit/paths.ts';
import type { OpenRecord } from './open-record.ts';

/** Shows the location with a link to the map, or a link for setting a location. */
export function PlaceLine({ record }: { record: OpenRecord }) {
  const { t } = useTranslation();
  const { id, place } = record;
  if (!place) {
    return (
      <PageLink
        to={placePath('chooseLocation', id)}
        className="detail-place"
        data-testid="add-place"
      >
        <MapPinPlus size={16} aria-hidden="true" />
        {t('detail.addPlace')}
      </PageLink>
    );
  }
  return (
    <PageLink to={placePath('openLocation', id)} className="detail-place" data-testid="place">
      <MapPin size={16} aria-hidden="true" />
      <bdi>{place.name || `${place.latitude}, ${place.longitude}`}</bdi>
    </PageLink>
  );
}
