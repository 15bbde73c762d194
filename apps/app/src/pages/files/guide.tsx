import { Suspense, useEffect, useState } from 'react';
import { useRecording } from '../../page-kit/recording.tsx';
import { useChangeSetting } from '../../page-kit/saving.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import { lazyPage } from '../../ui/lazy-page.ts';

const group = 'guide';
const key = 'files';
const seen = 'seen';

const GuideCard = lazyPage<{ onDone(): void }>(() => import('./guide-card.tsx'));

/**
 * Introduces the list's features once, with the first recordings. A synced setting records that it was shown,
 * so that other phones do not repeat it. It therefore waits for the server's settings.
 */
export function Guide() {
  const { settings } = useServices();
  const set = useChangeSetting();
  const all = useStore(settings.all);
  const caughtUp = useStore(settings.caughtUp);
  const [done, setDone] = useState(false);
  const isSeen =
    all.status === 'loading' ||
    all.value.some((each) => each.group_name === group && each.config_key === key);
  const isDue = caughtUp && !isSeen && !done;
  // It must not cover the stop button during a recording.
  const recording = useRecording().state === 'recording';
  const [ready, setReady] = useState(false);
  useEffect(() => {
    // If the code fails to load, the card is shown on a later visit. The list is unaffected.
    if (isDue && !recording)
      GuideCard.preload().then(
        () => setReady(true),
        () => {},
      );
  }, [isDue, recording]);
  if (!isDue || !ready) return null;
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
