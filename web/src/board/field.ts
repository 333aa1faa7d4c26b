/** The battlefield as the server describes it, in inches: x to the east, y to the north. */

import type { BaseShape } from "../lib/messages";

export type Point = [number, number];

export interface Floor {
  outline: Point[];
  elevation: number;
}

export interface Feature {
  id: string;
  outline: Point[];
  height: number;
  elevation: number;
  category: string;
  solid: boolean;
  tags: string[];
  floors: Floor[];
}

export interface Area {
  id: string;
  outline: Point[];
  category: string;
  height: number;
  tags: string[];
  features: Feature[];
}

export interface Zone {
  name: string;
  outline: Point[];
  territory: Point[] | null;
  edge: string | null;
}

export interface Objective {
  id: string;
  point: Point;
  area: string | null;
  role: string;
  owner: string | null;
  marker_mm: number;
}

export interface Battlefield {
  name: string;
  width: number;
  height: number;
  areas: Area[];
  zones: Zone[];
  objectives: Objective[];
}

/** Where a model stands: the middle of its base, the height of its surface, its facing in degrees; inches. */
export interface Pose {
  x: number;
  y: number;
  z: number;
  facing: number;
}

/** What the board draws of a model. Objects are replaced, never changed, so that only what moved is drawn anew. */
export interface Piece extends Pose {
  row: number;
  unit: string;
  side: 0 | 1;
  name: string;
  base: BaseShape;
  character: boolean;
  wounds: number;
  most: number;
  here: boolean;
}

/** A name that is written by a unit: its middle and what it takes up, in drawing inches. */
export interface Label {
  unit: string;
  text: string;
  side: 0 | 1;
  x: number;
  y: number;
  wide: number;
  high: number;
}

/** The battlefield of a scene, with what an older server may have left out. */
export function fieldOf(json: Record<string, unknown>): Battlefield {
  const field = json as unknown as Battlefield;
  return { ...field, areas: field.areas ?? [], zones: field.zones ?? [], objectives: field.objectives ?? [] };
}

export const MM = 25.4;

export function poseOf(row: readonly number[]): Pose {
  return { x: (row[0] ?? 0) / 1000, y: (row[1] ?? 0) / 1000, z: (row[2] ?? 0) / 1000, facing: (row[3] ?? 0) / 1000 };
}

/** Whole thousandths, as answers have them. */
export function rowOf(pose: Pose): [number, number, number, number] {
  const facing = (((Math.floor(pose.facing * 1000 + 0.5) % 360000) + 360000) % 360000) | 0;
  return [snap(pose.x), snap(pose.y), snap(pose.z), facing];
}

function snap(inches: number): number {
  return Math.floor(inches * 1000 + 0.5);
}
