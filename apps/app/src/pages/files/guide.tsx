import { Suspense, useEffect, useState } from 'react';
import { useRecording } from '../../page-kit/recording.tsx';
import { useSetSetting } from '../../page-kit/saving.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import { lazyPage } from '../../ui/lazy-page.ts';

const group = 'guide';
const key = 'files';
const seen = 'seen';

const GuideCard = lazyPage<{ onDone(): void }>(() => import('./guide-card.tsx'));

/**
 * Shows once, with the first recordings, what the list can do. That it was shown is a setting of the
 * owner, so that their second phone does not show it again: nothing shows before the server’s changes are read.
 */
export function Guide() {
  const { settings } = useServices();
  const set = useSetSetting();
  const all = useStore(settings.all);
  const caughtUp = useStore(settings.caughtUp);
  const [done, setDone] = useState(false);
  const known =
    all.status === 'loading' ||
    all.value.some((each) => each.group_name === group && each.config_key === key);
  const due = caughtUp && !known && !done;
  // It must not lie between an owner and the button that stops the recorder.
  const recording = useRecording().state === 'recording';
  const [ready, setReady] = useState(false);
  useEffect(() => {
    // A card whose code does not come now comes another time: it must not take the list away.
    if (due && !recording)
      GuideCard.preload().then(
        () => setReady(true),
        () => {},
      );
  }, [due, recording]);
  if (!due || !ready) return null;
  return (
    <Suspense fallback={null}>
      <GuideCard
        onDone={() => {
          setDone(true);
          set(group, key, seen);
        }}
      />
    </Suspense>
  );
}
