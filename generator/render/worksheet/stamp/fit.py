"""Why a pupil's sheet cannot be stamped: then it is rendered in full, which is the reference."""


class DoesNotFit(ValueError):
    """A sheet that differs from its template in more than its slots; the message says in what.

    No mistake of the user: the caller renders this one in full, see `template.stamped_or_rendered`.
    """
