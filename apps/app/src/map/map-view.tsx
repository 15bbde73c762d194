import Minus from 'lucide-react/icons/minus';
import Plus from 'lucide-react/icons/plus';
import { useEffect, useRef, useState } from 'react';
import { useLanguage, useTranslation } from '../i18n/index.ts';
import { useServerInfo } from '../page-kit/services-context.ts';
import type { Coordinates } from '../ports/position.ts';
import { IconButton } from '../ui/button.tsx';
import { type DrawnMap, drawMap } from './draw-map.ts';
import { pin, pinSize } from './pin.ts';
import './map.css';

const bundledMapSource = 'Natural Earth';

/**
 * A map with a pin.
 * @param coordinates the place to show; null for the whole earth
 * @param onMoved called with the center after each move by the user, while the pin stays in the center; without it, the
 * pin marks `coordinates`
 */
export function MapView({
  coordinates,
  onMoved,
}: {
  coordinates: Coordinates | null;
  onMoved?: (center: Coordinates) => void;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const serverInfo = useServerInfo();
  const tiles = serverInfo?.mapTiles ?? null;
  const element = useRef<HTMLDivElement>(null);
  const drawn = useRef<DrawnMap | null>(null);
  const [hasFailed, setFailed] = useState(false);
  const latest = useRef({ at: coordinates, onMoved });
  latest.current = { at: coordinates, onMoved };
  const isMovable = onMoved !== undefined;
  const url = tiles?.url;
  const attribution = tiles?.attribution;

  useEffect(() => {
    if (!element.current) return;
    const map = drawMap(element.current, {
      at: latest.current.at,
      tiles: url === undefined ? null : { url, attribution: attribution ?? '' },
      language,
      ...(isMovable && { onMoved: (middle) => latest.current.onMoved?.(middle) }),
      onFailed: () => setFailed(true),
    });
    drawn.current = map;
    return () => {
      drawn.current = null;
      map.close();
    };
  }, [url, attribution, language, isMovable]);

  const latitude = coordinates?.latitude;
  const longitude = coordinates?.longitude;
  useEffect(() => {
    const map = drawn.current;
    if (!map || latitude === undefined || longitude === undefined) return;
    const middle = map.center();
    // The value comes from the map itself, which is already centered there.
    if (middle.latitude === latitude && middle.longitude === longitude) return;
    map.show({ latitude, longitude });
  }, [latitude, longitude]);

  const maker = tiles ? tiles.attribution : bundledMapSource;
  return (
    <div className="map" dir="ltr">
      <div
        className="earth-canvas"
        ref={element}
        role="application"
        aria-label={t('place.map')}
        data-testid="map"
      />
      {isMovable && (
        <svg className="earth-pin" viewBox={pin.viewBox} {...pinSize} aria-hidden="true">
          <path d={pin.body} />
          <circle {...pin.hole} />
        </svg>
      )}
      <div className="earth-zoom">
        <IconButton label={t('place.zoomIn')} onClick={() => drawn.current?.zoom(1)}>
          <Plus size={22} />
        </IconButton>
        <IconButton label={t('place.zoomOut')} onClick={() => drawn.current?.zoom(-1)}>
          <Minus size={22} />
        </IconButton>
      </div>
      {hasFailed && (
        <p className="earth-failed" role="alert">
          {t('place.mapFailed')}
        </p>
      )}
      {maker !== '' && (
        <p className="earth-credit" dir="auto">
          {t('place.credit', { maker })}
        </p>
      )}
    </div>
  );
}
