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
 * Introduces the list's features once, when the first recordings exist. A synced setting records that the
 * introduction was shown, so that other phones do not repeat it. Therefore the introduction waits for the
 * server's settings.
 */
export function Guide() {
  const { settings } = useServices();
  const changeSetting = useChangeSetting();
  const allSettings = useStore(settings.all);
  const hasServerSettings = useStore(settings.caughtUp);
  const [isDone, setDone] = useState(false);
  const isSeen =
    allSettings.status === 'loading' ||
    allSettings.value.some((setting) => setting.group_name === group && setting.config_key === key);
  const isDue = hasServerSettings && !isSeen && !isDone;
  // The card must not cover the stop button during a recording.
  const isRecording = useRecording().state === 'recording';
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    // If the code fails to load, the card is shown on a later visit. The list is unaffected.
    if (isDue && !isRecording)
      GuideCard.preload().then(
        () => setReady(true),
        () => {},
      );
  }, [isDue, isRecording]);
  if (!isDue || !isReady) return null;
  return (
    <Suspense fallback={null}>
      <GuideCard
        onDone={() => {
          setDone(true);
          changeSetting(group, key, seen);
        }}
      />
    </Suspense>
  );
}
