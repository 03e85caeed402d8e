package dev.graspsync.negentropy;

import java.util.Arrays;

/**
 * Sorts the indexes of items that lie in arrays of primitives. Merging in pairs has no bad case that somebody who chooses
 * the items could aim at, and runs that are in order already, either way, are taken as they are: a store hands its items
 * out newest first.
 */
final class MergeSort {

    interface Order {
        int compare(int left, int right);
    }

    private MergeSort() {}

    static int[] sorted(int size, Order order) {
        int[] from = new int[size];
        Arrays.setAll(from, i -> i);
        int[] starts = runs(from, order);
        int[] to = new int[size];
        int count = starts.length - 1;
        while (count > 1) {
            int merged = 0;
            for (int run = 0; run < count; run += 2) {
                int end = starts[Math.min(run + 2, count)];
                merge(from, starts[run], starts[Math.min(run + 1, count)], end, to, order);
                starts[merged++] = starts[run];
            }
            starts[merged] = size;
            count = merged;
            int[] swap = from;
            from = to;
            to = swap;
        }
        return from;
    }

    /** Where each run starts, and the end; falling runs are turned round. */
    private static int[] runs(int[] indexes, Order order) {
        int[] starts = new int[indexes.length + 1];
        int count = 0;
        int at = 0;
        while (at < indexes.length) {
            starts[count++] = at;
            int end = at + 1;
            if (end < indexes.length && order.compare(indexes[end - 1], indexes[end]) > 0) {
                do {
                    end++;
                } while (end < indexes.length && order.compare(indexes[end - 1], indexes[end]) > 0);
                reverse(indexes, at, end);
            } else {
                while (end < indexes.length && order.compare(indexes[end - 1], indexes[end]) <= 0) {
                    end++;
                }
            }
            at = end;
        }
        starts[count] = indexes.length;
        return Arrays.copyOf(starts, count + 1);
    }

    private static void reverse(int[] indexes, int from, int to) {
        for (int i = from, j = to - 1; i < j; i++, j--) {
            int swap = indexes[i];
            indexes[i] = indexes[j];
            indexes[j] = swap;
        }
    }

    private static void merge(int[] from, int start, int middle, int end, int[] to, Order order) {
        int left = start;
        int right = middle;
        for (int at = start; at < end; at++) {
            boolean takeLeft = right == end || left < middle && order.compare(from[left], from[right]) <= 0;
            to[at] = takeLeft ? from[left++] : from[right++];
        }
    }
}
