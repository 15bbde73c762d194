import type { Clock } from './service.ts';

/**
 * Time in milliseconds until rejected features are retried, because a service may be updated or may have rejected a
 * feature by mistake.
 */
const RETRY_MS = 3_600_000;

/** Tracks which features a service supports. */
export interface Features<FeatureSet> {
  /** Returns the feature set to start with: the last accepted set, or all features if that was too long ago. */
  current(): FeatureSet;
  /** Saves a feature set that the service has accepted. */
  accept(features: FeatureSet): void;
}

/** Starts with all features. If the service accepts only a smaller set, that set is remembered for an hour. */
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
