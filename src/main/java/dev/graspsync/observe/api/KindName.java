package dev.graspsync.observe.api;

/** What people call a kind of event. */
final class KindName {

    private KindName() {}

    static String of(int kind) {
        return switch (kind) {
            case 0 -> "profile";
            case 1 -> "note";
            case 3 -> "follow list";
            case 5 -> "deletion request";
            case 7 -> "reaction";
            case 62 -> "request to vanish";
            case 1111 -> "comment";
            case 1617 -> "patch";
            case 1618 -> "pull request";
            case 1619 -> "pull request update";
            case 1621 -> "issue";
            case 1622 -> "reply";
            case 1630 -> "status: open";
            case 1631 -> "status: applied";
            case 1632 -> "status: closed";
            case 1633 -> "status: draft";
            case 1985 -> "label";
            case 10317 -> "list of GRASP servers";
            case 30617 -> "repository announcement";
            case 30618 -> "repository state";
            default -> "event of kind " + kind;
        };
    }
}
