import type { Clock } from './service.ts';

/** Milliseconds after which rejected features are tried again: a service may be updated, or have rejected one by mistake. */
const RETRY_MS = 3_600_000;

/** The features that requests to a service use. */
export interface Features<FeatureSet> {
  /** Returns the set to begin with: the accepted one, or all features if it is too long since others were rejected. */
  current(): FeatureSet;
  /** Remembers the set that the service accepted. */
  accept(features: FeatureSet): void;
}

/** Starts with all features, and remembers for an hour which set the service accepted instead. */
export function createFeatures<FeatureSet>(
  all: FeatureSet,
  clock: Pick<Clock, 'now'>,
): Features<FeatureSet> {
  let accepted = { features: all, until: Number.POSITIVE_INFINITY };
  const current = () => (clock.now() < accepted.until ? accepted.features : all);
  return {
    current,
    accept(features) {
      if (features !== current()) accepted = { features, until: clock.now() + RETRY_MS };
    },
  };
}
