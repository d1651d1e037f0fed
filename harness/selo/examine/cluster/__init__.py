"""A plan put to a vendor by workers on several machines, with Dask (the extra `selo[cluster]`)."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.examine.cluster.cluster_connection import Cluster, open_cluster
    from selo.examine.cluster.cluster_keys import require_keys
    from selo.examine.cluster.cluster_parts import join_cluster, start_scheduler
    from selo.examine.cluster.cluster_tasks import WorkOrder
    from selo.examine.cluster.cluster_workforce import ClusterWorkforce
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "Cluster",
    "ClusterWorkforce",
    "WorkOrder",
    "join_cluster",
    "open_cluster",
    "require_keys",
    "start_scheduler",
]
