import { Suspense, useEffect, useState } from 'react';
import { useRecording } from '../../page-kit/recording.tsx';
import { useChangeSetting } from '../../page-kit/saving.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import { lazyPage } from '../../ui/lazy-page.ts';
import { isInProgress, type ListedRecord } from './row-state.ts';

const group = 'guide';
const key = 'files';
const seenValue = 'seen';

/** Matches popups that the user may be using. */
const openPopup = '[role="menu"], [role="dialog"], [role="alertdialog"]';

const GuideCard = lazyPage<{ onDone(): void }>(() => import('./guide-card.tsx'));

/**
 * Introduces the list's features once, when the first recordings exist and none is being transferred or transcribed. A
 * synced setting stores that the introduction was shown, so that other phones don't repeat it; the introduction
 * therefore waits for the server's settings. If the user records during this visit, or has a menu or dialog open, it
 * waits for the next visit, so that it doesn't cover the stop button, the new recording, or the dialog.
 */
export function Guide({ records }: { records: readonly ListedRecord[] }) {
  const { recorder, settings } = useServices();
  const changeSetting = useChangeSetting();
  const allSettings = useStore(settings.all);
  const hasServerSettings = useStore(settings.caughtUp);
  const [isDone, setDone] = useState(false);
  const isSeen =
    allSettings.status === 'loading' ||
    allSettings.value.some((setting) => setting.group_name === group && setting.config_key === key);
  const { running, isBusy } = useRecording();
  const isRecording = running !== null || isBusy;
  const [isPostponed, setPostponed] = useState(isRecording);
  if (isRecording && !isPostponed) setPostponed(true);
  const isConnected = useStore(recorder.link).status === 'connected';
  const isFilling = records.some((record) => isInProgress(record, isConnected));
  const isDue = records.length > 0 && hasServerSettings && !isSeen && !isDone && !isPostponed;
  const mayOpen = isDue && !isFilling;
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    // An open card is itself a dialog, and stays open while the list fills.
    if (!mayOpen || isReady) return;
    // If the code fails to load, the card is shown on a later visit. The list is unaffected.
    GuideCard.preload().then(
      () => (document.querySelector(openPopup) ? setPostponed(true) : setReady(true)),
      () => {},
    );
  }, [mayOpen, isReady]);
  if (!isDue || !isReady) return null;
  return (
    <Suspense fallback={null}>
      <GuideCard
        onDone={() => {
          setDone(true);
          changeSetting(group, key, seenValue);
        }}
      />
    </Suspense>
  );
}
