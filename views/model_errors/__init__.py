"""How far off are the models, on measurements that set nothing?"""
