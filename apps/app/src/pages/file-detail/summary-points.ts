export * from '../../summary-points.ts';
