package dev.graspsync.sync.core;

/** What a batch asks: pages of a filter, a comparison of what matches it, or the ids that a comparison found. */
sealed interface Query permits HistoryQuery, Reconciliation, Fetch {}
