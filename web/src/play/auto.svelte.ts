/** Letting the suggestions be taken: to the end of a phase, or of the battle. */

import type { Battle } from "./battle.svelte";

export type Extent = "phase" | "battle";

export class Auto {
  extent = $state<Extent | null>(null);
  private mark = "";

  constructor(private readonly battle: Battle) {
    $effect(() => {
      if (!this.extent || !battle.mine || battle.answering) return;
      const decision = battle.decision;
      if (this.extent === "phase" && this.here() !== this.mark) {
        this.extent = null;
        return;
      }
      void battle.advice().then((answer) => {
        if (answer && this.extent && battle.decision === decision) battle.answer(answer);
      });
    });
    $effect(() => {
      if (battle.ended) this.extent = null;
    });
  }

  get on(): boolean {
    return this.extent !== null;
  }

  start(extent: Extent): void {
    this.mark = this.here();
    this.extent = extent;
  }

  stop(): void {
    this.extent = null;
  }

  private here(): string {
    const view = this.battle.view;
    return view ? `${view.round}/${view.turn}/${view.phase}` : "";
  }
}
