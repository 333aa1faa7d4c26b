/** Second clicks of a double click, where the first has answered: they were not meant for what has taken its place. */

const LONGEST = 450;
const NEAR = 12;

interface Press {
  at: number;
  x: number;
  y: number;
  /** What was asked for when it happened. */
  decision: string;
}

export class Doubles {
  private last: Press | null = null;
  /** Whether the last press came where the one before was, which was made at another choice. */
  private followed = false;
  /** Whether it came soon after it as well. */
  private soon = false;

  /** Note a press of the pointer. */
  press(event: PointerEvent, decision: string): void {
    const before = this.last;
    this.last = { at: event.timeStamp, x: event.clientX, y: event.clientY, decision };
    this.followed =
      before !== null &&
      before.decision !== decision &&
      Math.hypot(event.clientX - before.x, event.clientY - before.y) < NEAR;
    this.soon = before !== null && event.timeStamp - before.at < LONGEST;
  }

  /** Whether a click is the second of two. Browsers count the clicks of a mouse, but not every one those of a finger. */
  isSecond(event: MouseEvent): boolean {
    const counted = "pointerType" in event && event.pointerType === "touch" ? this.soon : event.detail > 1;
    return this.followed && counted;
  }

  /** The same of a tap on the table, which nobody counts. */
  get isSecondTap(): boolean {
    return this.followed && this.soon;
  }
}
