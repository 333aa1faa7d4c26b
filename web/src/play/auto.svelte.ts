/** Letting the suggestions be taken: to the end of a phase, or of the battle. Formalities are answered at once. */

import { untrack } from "svelte";
import { settings } from "../lib/settings.svelte";
import type { Battle } from "./battle.svelte";
import { optionsOf } from "./choices";

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
      const decision = battle.decision;
      if (!settings.formalities || this.extent || !battle.mine || battle.answering || !decision?.formality) return;
      const option = optionsOf(decision)?.[0];
      if (option && !battle.refusals.length) untrack(() => battle.pickByItself(option.key, `${decision.prompt} ${option.label}`));
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
